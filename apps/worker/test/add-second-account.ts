import { SECRET_FIELD, createUuidV7 } from '@switchboard/core';
import { createSecretBox } from '@switchboard/runtime';
import { TEST_SECRET_KEY } from '@switchboard/testing';
import type { startEnvironment } from './start-environment.ts';

const OWN = '+15005550006';
const OTHER = '+14155550123';

/** Adds a second account, with a number of its own, and failover. */
export async function addSecondAccount(
  { database }: Awaited<ReturnType<typeof startEnvironment>>,
  workspaceId: string,
  { type, account, token = '' }: { type: string; account: string; token?: string },
) {
  const owner = { workspaceId, field: SECRET_FIELD };
  const sealed = createSecretBox(TEST_SECRET_KEY).seal(token, owner);
  const providerId = createUuidV7(Date.now());
  await database.pool.query(
    `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       secret_last4, name, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, '', 'Second', now(), now())`,
    [providerId, workspaceId, type, account, sealed],
  );
  await database.pool.query(
    `INSERT INTO phone_numbers (id, workspace_id, number, is_default, capabilities, created_at, provider_id)
     VALUES ($1, $2, $3, true, '{sms}', now(), NULL), ($4, $2, $5, false, '{sms}', now(), $6)`,
    [createUuidV7(Date.now()), workspaceId, OWN, createUuidV7(Date.now()), OTHER, providerId],
  );
  await database.pool.query(
    `INSERT INTO workspace_routing (workspace_id, failover, updated_at) VALUES ($1, true, now())`,
    [workspaceId],
  );
  return providerId;
}
