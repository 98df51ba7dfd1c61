import { createUuidV7 } from '@switchboard/core';
import { EVENTUALLY, updateMessages } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FROM } from '../start-environment.ts';
import { type WebhookEnvironment, startWebhookEnvironment } from './environment.ts';

const ends: (() => Promise<void>)[] = [];
let environment: WebhookEnvironment;

beforeAll(async () => {
  environment = await startWebhookEnvironment((end) => ends.unshift(end));
  await environment.startWorker();
});
afterAll(async () => {
  for (const end of ends) await end();
});

type Sender =
  | { apiKeyId: string; apiKeyVersion: number }
  | { sentBy: { kind: 'user'; id: string } };

async function acceptFrom(workspaceId: string, to: string, sender: Sender): Promise<void> {
  const id = createUuidV7(Date.now());
  const result = await environment.store.accept({
    id,
    createdAt: new Date(),
    workspaceId,
    to,
    from: FROM,
    body: 'Hello “world” €',
    media: [{ url: 'https://media.example/a.png', content_type: 'image/png' }],
    segments: 1,
    scheduledAt: null,
    requestId: 'r',
    idempotency: null,
    ...sender,
  });
  expect(result.kind).toBe('stored');
  await environment.producer.enqueue([{ messageId: id, workspaceId, requestId: 'r' }]);
}

/** Changes each row and column that a message is read from, as far as a user of any kind can cause it. */
const CHANGES = [
  `UPDATE users SET name = 'New name' WHERE id IN (SELECT user_id FROM members WHERE workspace_id = $1)`,
  `UPDATE api_keys SET name = 'New name', revoked_at = now() WHERE workspace_id = $1`,
  `UPDATE provider_accounts SET id = uuid_v7(now()), type = 'telnyx', name = 'New name'
   WHERE workspace_id = $1`,
  `DELETE FROM opt_outs WHERE workspace_id = $1`,
];

const CHANGE_OF_MESSAGES = `status = 'failed', "from" = '+14155559999', provider_sid = 'SM' || id,
  provider_id = uuid_v7(now()), vendor_account_id = 'AC2', error_code = '30007', error_detail = 'Filtered', updated_at = now(),
  sent_at = now() + interval '1 hour', delivered_at = now() + interval '1 hour'`;

test('the body of a delivery is the same in all attempts and replays, whatever has changed since the event', async () => {
  const { workspaceId, providerId, accountSid } = await environment.addWorkspace();
  const [ids] = await environment.sql<{ user: string; key: string }>(
    `SELECT m.user_id AS user, k.id AS key FROM members m JOIN api_keys k USING (workspace_id)
     WHERE workspace_id = $1`,
    [workspaceId],
  );
  if (ids === undefined) throw new Error('the workspace has no owner or no key');
  const { key, receiver } = await environment.addEndpoint(workspaceId);
  // Every second event needs a second attempt, which a later statement reads.
  receiver.respondWith(({ event }) => ({ status: event.sequence % 2 === 0 ? 500 : 200 }));
  const since = new Date(Date.now() - 3_600_000);
  const sender = { apiKeyId: ids.key, apiKeyVersion: 1 };
  await acceptFrom(workspaceId, '+14155550100', sender);
  await acceptFrom(workspaceId, '+15005550009', sender);
  await acceptFrom(workspaceId, '+14155550101', { sentBy: { kind: 'user', id: ids.user } });
  await environment.store.receive(
    {
      id: createUuidV7(Date.now()),
      createdAt: new Date(),
      workspaceId,
      to: FROM,
      from: '+14155550102',
      body: 'STOP',
      media: [],
      segments: 1,
      providerId,
      vendorAccountId: accountSid,
      providerSid: 'SM1',
      requestId: 'r',
      traceParent: null,
      isLate: false,
    },
    {
      keyword: {
        keyword: 'opt_out',
        isCustom: false,
        reply: { id: createUuidV7(Date.now()), defaultText: 'You are unsubscribed.' },
      },
      own: null,
      isSuspected: false,
    },
  );
  const firstBodies = () => new Map(receiver.received.map(({ id, body }) => [id, body]));
  const typesWith = (isExpected: (data: Record<string, unknown>) => boolean) =>
    receiver.events().filter(({ data }) => isExpected({ ...data }));
  await vi.waitFor(async () => {
    await environment.skipWaits();
    expect(
      typesWith(({ provider_sid }) => typeof provider_sid === 'string').length,
    ).toBeGreaterThan(3);
    expect(typesWith(({ status }) => status === 'failed')).toHaveLength(1);
    expect(typesWith(({ reason }) => typeof reason === 'string')).toHaveLength(1);
  }, EVENTUALLY);
  const created = typesWith(({ status }) => status === 'queued');
  expect(created.map(({ data }) => ('provider' in data ? data.provider : 0))).toContain(null);

  const before = firstBodies();
  for (const change of CHANGES) await environment.sql(change, [workspaceId]);
  await updateMessages(environment.database.pool, {
    set: CHANGE_OF_MESSAGES,
    where: 'workspace_id = $1',
    values: [workspaceId],
  });
  receiver.respondWith(() => ({ status: 200 }));
  const until = new Date(Date.now() + 3_600_000);
  expect(await environment.deliveries.replay(key, { since, until })).toBeGreaterThanOrEqual(
    before.size,
  );
  const from = receiver.received.length;
  await vi.waitFor(() => {
    const replayed = new Set(receiver.received.slice(from).map(({ id }) => id));
    for (const id of before.keys()) expect(replayed).toContain(id);
  }, EVENTUALLY);
  for (const { id, body } of receiver.received) {
    if (before.has(id)) expect(body).toBe(before.get(id));
  }
});
