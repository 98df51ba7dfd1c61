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

/** Who may do what with a workspace, and with what it sends. */
export interface WorkspaceFixture {
  workspaceId: string;
  apiKeyId: string;
  apiKey: string;
  userId: string;
  email: string;
  password: string;
  sessionToken: string;
  /** The default number; Twilio's, that every send accepts. */
  from: string;
  accountSid: string;
  authToken: string;
}

export interface WorkspaceFixtureOptions {
  /** What the owner is called; otherwise a name of its own. */
  email?: string;
  /** `false`: no provider is configured. */
  provider?: boolean;
  /** Instead of one that no other workspace has. */
  accountSid?: string;
  authToken?: string;
  /** `false`: the provider has not accepted the credentials yet. */
  verified?: boolean;
  messagingServiceSid?: string | null;
  /** Instead of `resend`. */
  onUnknown?: 'resend' | 'fail';
  /** `null`: the workspace has no number. */
  from?: string | null;
}

const PASSWORD = 'a long enough password';
let passwordHash: Promise<string> | undefined;

/** A workspace that can send, with its owner, a session of theirs and a key. */
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
    if (typeof user === 'string') throw new Error(`The owner could not be made: ${user}`);

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
    const sessionToken = createSessionToken();
    await createSessionStore(database).create({
      id: createUuidV7(at.getTime()),
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
      sessionToken,
      from: from ?? '',
      accountSid,
      authToken,
    };
  } finally {
    await database.close();
  }
}
