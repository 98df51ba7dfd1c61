import { randomBytes } from 'node:crypto';
import { createShardedUuid, createUuidV7, SECRET_FIELD } from '@switchboard/core';
import { createApiKey, hashPassword, hashToken } from '@switchboard/credentials';
import {
  type Database,
  type User,
  createApiKeyStore,
  createPhoneNumberStore,
  createProviderStore,
  createUserStore,
  createWorkspaceStore,
} from '@switchboard/database';
import { createSecretBox } from '@switchboard/runtime';
import type { DemoFile } from './demo-file.ts';

/** The provider that the simulator simulates. */
export const DEMO_PROVIDER = 'twilio';

/** Twilio's test number that is valid as a sender. The simulator supports it too. */
const DEMO_NUMBER = '+15005550006';

export async function createDemoData(
  database: Database,
  secretKey: string,
): Promise<Omit<DemoFile, 'base_url' | 'simulator_url'>> {
  const at = new Date();
  const newId = () => createUuidV7(at.getTime());
  const password = randomBytes(12).toString('base64url');
  const user = await createDemoUser(database, password, at);

  const workspaceId = createShardedUuid(at.getTime());
  await createWorkspaceStore(database).create({
    id: workspaceId,
    name: 'Demo',
    ownerId: user.id,
    ip: null,
    createdAt: at,
  });

  const accountSid = `AC${randomBytes(16).toString('hex')}`;
  const authToken = randomBytes(16).toString('hex');
  await createProviderStore(database).put({
    workspaceId,
    type: DEMO_PROVIDER,
    vendorAccountId: accountSid,
    sealedSecret: createSecretBox(secretKey).seal(authToken, {
      workspaceId,
      field: SECRET_FIELD,
    }),
    secretLast4: authToken.slice(-4),
    senderPool: null,
    onUnknown: 'resend',
    at,
  });
  await createPhoneNumberStore(database).create(workspaceId, {
    id: newId(),
    number: DEMO_NUMBER,
    label: 'Demo',
    capabilities: ['sms', 'mms'],
    createdAt: at,
  });
  const { key, prefix, last4 } = createApiKey();
  await createApiKeyStore(database).create({
    id: newId(),
    workspaceId,
    name: 'Demo',
    keyHash: hashToken(key),
    prefix,
    last4,
    createdAt: at,
  });

  return {
    email: user.email,
    password,
    workspace_id: workspaceId,
    api_key: key,
    from: DEMO_NUMBER,
    account_sid: accountSid,
    auth_token: authToken,
  };
}

/** Creates the demo user. If an earlier demo user exists, the new one gets another email address. */
async function createDemoUser(database: Database, password: string, at: Date): Promise<User> {
  const users = createUserStore(database);
  const passwordHash = await hashPassword(password);
  for (let suffix = ''; ; suffix = `-${randomBytes(3).toString('hex')}`) {
    const created = await users.create(
      {
        id: createUuidV7(at.getTime()),
        email: `demo${suffix}@switchboard.example`,
        name: 'Demo',
        passwordHash,
        createdAt: at,
      },
      { onlyTheFirst: false },
    );
    if (typeof created === 'object') return created;
  }
}
