import { randomUUID } from 'node:crypto';
import {
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
  type TestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createWebhookDeliveryStore,
  createWebhookOutboxStore,
  type Database,
} from '../src/index.ts';
import { recordAudit } from '../src/audit/record-audit.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test('events of one transaction that are not about messages get numbers in the order of its statements', async () => {
  const { workspaceId } = await createWorkspaceFixture(testDatabase.url);
  const endpointId = randomUUID();
  await database.pool.query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, sealed_secret, event_types, position, created_at,
       updated_at)
     VALUES ($1, $2, 'https://example.com/', '', '{}', '{}', now(), now())`,
    [endpointId, workspaceId],
  );
  const client = await database.pool.connect();
  await client.query('BEGIN');
  for (let round = 0; round < 10; round += 1) {
    await client.query(
      `INSERT INTO opt_outs (workspace_id, number, reason, created_at) VALUES ($1, '+15557654321', 'STOP', now())`,
      [workspaceId],
    );
    await client.query('DELETE FROM opt_outs WHERE workspace_id = $1', [workspaceId]);
  }
  await client.query('COMMIT');
  client.release();

  const key = { workspaceId, endpointId };
  expect(await createWebhookOutboxStore(database).numberOtherEvents(key)).toBe(20);
  const { items } = await createWebhookDeliveryStore(database).list(key, null, {
    number: 1,
    size: 50,
  });
  const types = items.toReversed().map(({ eventType }) => eventType);
  expect(types).toEqual(
    Array.from({ length: 10 }, () => ['opt_out.created', 'opt_out.removed']).flat(),
  );
});

test('an event about an audit entry of a user who has closed the account does not show what replaced the address', async () => {
  const { workspaceId, userId } = await createWorkspaceFixture(testDatabase.url);
  const { pool } = database;
  await pool.query(`UPDATE users SET email = 'closed:' || id WHERE id = $1`, [userId]);
  await pool.query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, sealed_secret, event_types, position, created_at,
       updated_at)
     VALUES (gen_random_uuid(), $1, 'https://example.com/', '', '{audit_entry.created}', '{}', now(), now())`,
    [workspaceId],
  );
  await recordAudit(
    database.prisma,
    { kind: 'user', userId, ip: null },
    {
      workspaceId,
      action: 'member.password_changed',
      target: userId,
    },
  );
  const { rows } = await pool.query<{ actor: unknown }>(
    `SELECT data->'actor' AS actor FROM webhook_other_events WHERE workspace_id = $1`,
    [workspaceId],
  );
  expect(rows).toEqual([{ actor: { type: 'user', id: userId, name: 'Closed account' } }]);
});
