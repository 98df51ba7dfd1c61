import { randomBytes } from 'node:crypto';
import { createUuidV7, SECRET_FIELD } from '@switchboard/core';
import {
  createApiKey,
  createSessionToken,
  hashPassword,
  hashToken,
} from '@switchboard/credentials';
import {
  createApiKeyStore,
  createDatabase,
  createPhoneNumberStore,
  createProviderStore,
  createSessionStore,
  createUserStore,
  createWorkspaceStore,
} from '@switchboard/database';
import { createSecretBox } from '@switchboard/runtime';
import { TEST_SECRET_KEY } from './processes/start-app.ts';

/** A workspace with its owner, credentials and number. */
export interface WorkspaceFixture {
  workspaceId: string;
  apiKeyId: string;
  apiKey: string;
  userId: string;
  email: string;
  password: string;
  sessionId: string;
  sessionToken: string;
  /** The default number; a Twilio test number that every send accepts. */
  from: string;
  accountSid: string;
  authToken: string;
}

export interface WorkspaceFixtureOptions {
  /** The name of the owner; unique by default. */
  email?: string;
  /** `false`: the workspace has no provider configured. */
  provider?: boolean;
  /** Unique by default. */
  accountSid?: string;
  authToken?: string;
  /** `false`: the provider has not accepted the credentials yet. */
  verified?: boolean;
  messagingServiceSid?: string | null;
  /** Defaults to `resend`. */
  onUnknown?: 'resend' | 'fail';
  /** `null`: the workspace has no number. */
  from?: string | null;
}

const PASSWORD = 'a long enough password';
let passwordHash: Promise<string> | undefined;

/** Creates a workspace that can send, with an owner, a session of the owner and an API key. */
export async function createWorkspaceFixture(
  databaseUrl: string,
  options: WorkspaceFixtureOptions = {},
): Promise<WorkspaceFixture> {
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'fixture',
    onError: () => undefined,
  });
  try {
    const at = new Date();
    const user = await createUserStore(database).create(
      {
        id: createUuidV7(at.getTime()),
        email: options.email ?? `owner-${randomBytes(6).toString('hex')}@example.com`,
        name: 'Owner',
        passwordHash: await (passwordHash ??= hashPassword(PASSWORD)),
        createdAt: at,
      },
      { onlyTheFirst: false },
    );
    if (typeof user === 'string') throw new Error(`failed to create the owner: ${user}`);

    const workspaceId = createUuidV7(at.getTime());
    await createWorkspaceStore(database).create({
      id: workspaceId,
      name: 'Test workspace',
      ownerId: user.id,
      createdAt: at,
    });

    const accountSid = options.accountSid ?? `AC${randomBytes(16).toString('hex')}`;
    const authToken = options.authToken ?? randomBytes(16).toString('hex');
    if (options.provider !== false) {
      const owner = { workspaceId, field: SECRET_FIELD };
      const providers = createProviderStore(database);
      const sealedSecret = createSecretBox(TEST_SECRET_KEY).seal(authToken, owner);
      await providers.put({
        workspaceId,
        type: 'twilio',
        account: accountSid,
        sealedSecret,
        secretLast4: authToken.slice(-4),
        senderPool: options.messagingServiceSid ?? null,
        onUnknown: options.onUnknown ?? 'resend',
        at,
      });
      if (options.verified !== false) {
        await providers.recordSuccess({ workspaceId, sealedSecret });
      }
    }

    const from = options.from === undefined ? '+15005550006' : options.from;
    if (from !== null) {
      await createPhoneNumberStore(database).create(workspaceId, {
        id: createUuidV7(at.getTime()),
        number: from,
        label: '',
        capabilities: ['sms', 'mms'],
        createdAt: at,
      });
    }

    const { key, prefix, last4 } = createApiKey();
    const apiKeyId = createUuidV7(at.getTime());
    await createApiKeyStore(database).create({
      id: apiKeyId,
      workspaceId,
      name: 'Test',
      keyHash: hashToken(key),
      prefix,
      last4,
      createdAt: at,
    });
    const sessionId = createUuidV7(at.getTime());
    const sessionToken = createSessionToken();
    await createSessionStore(database).create({
      id: sessionId,
      userId: user.id,
      tokenHash: hashToken(sessionToken),
      createdAt: at,
      expiresAt: new Date(at.getTime() + 86_400_000),
    });

    return {
      workspaceId,
      apiKeyId,
      apiKey: key,
      userId: user.id,
      email: user.email,
      password: PASSWORD,
      sessionId,
      sessionToken,
      from: from ?? '',
      accountSid,
      authToken,
    };
  } finally {
    await database.close();
  }
}
