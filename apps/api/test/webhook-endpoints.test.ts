import { WEBHOOK_SECRET_FIELD, deliveryIdOf } from '@switchboard/core';
import { createSecretBox } from '@switchboard/runtime';
import { TEST_SECRET_KEY, type WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listenToBus } from './listen-to-bus.ts';
import { type Service, expectRefusal, startService } from './start-service.ts';
import { type WorkspaceClient, clientOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  workspace = await service.addWorkspace();
  owner = clientOf(service, workspace, workspace.sessionToken);
});

const ADDRESS = 'https://example.com/webhooks';

async function add(json: object = {}): Promise<Record<string, unknown>> {
  const added = await owner('/webhook-endpoints', { json: { url: ADDRESS, ...json } });
  expect(added.status).toBe(201);
  return added.json ?? {};
}

/** Adds a batch with a delivered event, and a delivery that failed. */
async function addDeliveries(endpointId: string): Promise<void> {
  await service.sql(
    `INSERT INTO webhook_batches (workspace_id, endpoint_id, first_sequence, events, claimed_at, finished_at, statuses,
       durations_ms, delivered)
     SELECT $2, $1, 1, ARRAY[seq, 999], now(), now(), '{204,0}', '{12,0}', 1
     FROM message_events WHERE workspace_id = $2 ORDER BY seq LIMIT 1`,
    [endpointId, workspace.workspaceId],
  );
  await service.sql(
    `INSERT INTO webhook_deliveries (endpoint_id, sequence, workspace_id, event_id, event_type, data,
       event_at, status, attempts, created_at)
     VALUES ($1, 2, $2, $1, 'opt_out.created',
       '{"number":"+15557654321","reason":"STOP","created_at":"2026-11-20T04:33:00.123Z"}', now(), 'failed',
       '[{"at":"2026-11-20T04:33:00.123Z","status_code":500,"duration_ms":3,"error":"The endpoint responded with 500","response":"no"}]',
       now())`,
    [endpointId, workspace.workspaceId],
  );
}

describe('webhook endpoints', () => {
  test('the secret of an endpoint is shown once, and stored encrypted', async () => {
    const { secret, ...endpoint } = await add({ description: 'Orders' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toMatchObject({
      url: ADDRESS,
      description: 'Orders',
      event_types: null,
      enabled: true,
      disabled_reason: null,
    });
    const read = await owner(`/webhook-endpoints/${String(endpoint['id'])}`);
    expect(read.json).toEqual(endpoint);
    const [row] = (await service.sql('SELECT sealed_secret FROM webhook_endpoints WHERE id = $1', [
      endpoint['id'],
    ])) as { sealed_secret: string }[];
    const opened = createSecretBox(TEST_SECRET_KEY).open(row?.sealed_secret ?? '', {
      workspaceId: workspace.workspaceId,
      field: WEBHOOK_SECRET_FIELD,
    });
    expect(opened).toBe(secret);
  });

  test.each([
    ['http://example.com/', '`url` must be an https URL, for example https://example.com/webhooks'],
    ['example.com', '`url` must be an https URL, for example https://example.com/webhooks'],
    ['https://user:password@example.com/', '`url` must not contain a user name or password'],
    ['https://example.com/#part', '`url` must not contain a fragment'],
    ['https://10.0.0.1/', '`url` must have a host on the public internet'],
    ['https://2130706433/', '`url` must have a host on the public internet'],
    ['https://localhost/', '`url` must have a host on the public internet'],
    ['https://[::ffff:10.0.0.1]/', '`url` must have a host on the public internet'],
  ])('an endpoint with the URL %s is refused', async (url, detail) => {
    const refused = await owner('/webhook-endpoints', { json: { url } });
    expectRefusal(refused, 400, 'invalid_params', detail);
    const { id } = await add();
    const changed = await owner(`/webhook-endpoints/${String(id)}`, {
      method: 'PATCH',
      json: { url },
    });
    expectRefusal(changed, 400, 'invalid_params', detail);
  });

  test('a changed endpoint is audited and announced to the workers, and null selects all event types again', async () => {
    const bus = await listenToBus(service.database.url);
    onTestFinished(() => bus.close());
    const { id } = await add({ event_types: ['message.received'] });
    const path = `/webhook-endpoints/${String(id)}`;
    await bus.waitFor({ kind: 'webhooks_changed', workspaceId: workspace.workspaceId });
    const disabled = await owner(path, { method: 'PATCH', json: { enabled: false } });
    expect(disabled.json).toMatchObject({
      enabled: false,
      disabled_reason: 'user',
      event_types: ['message.received'],
    });
    const changed = await owner(path, {
      method: 'PATCH',
      json: { event_types: null, enabled: true },
    });
    expect(changed.json).toMatchObject({ enabled: true, disabled_reason: null, event_types: null });
    expect((await owner(`${path}/rotate-secret`, { json: { overlap_seconds: 60 } })).status).toBe(
      200,
    );
    expect((await owner(path, { method: 'DELETE' })).json).toEqual({ ok: true });
    expect((await owner(path)).status).toBe(404);
    const audit = await owner('/audit');
    const entries = audit.json?.['data'] as { action: string; target: string }[];
    expect(entries.filter(({ target }) => target === id).map(({ action }) => action)).toEqual([
      'webhook_endpoint.deleted',
      'webhook_endpoint.secret_rotated',
      'webhook_endpoint.changed',
      'webhook_endpoint.changed',
      'webhook_endpoint.created',
    ]);
  });

  test('deliveries with and without a row are listed together, newest first', async () => {
    const { id } = await add();
    await owner('/messages', { json: { to: '+15557654321', body: 'Hello' } });
    await addDeliveries(String(id));
    const path = `/webhook-endpoints/${String(id)}/deliveries`;
    const all = await owner(path);
    expect(all.json).toMatchObject({
      data: [
        {
          id: deliveryIdOf(String(id), 2),
          sequence: 2,
          event_type: 'opt_out.created',
          message_id: null,
          status: 'failed',
          attempts: [{ status_code: 500, response: 'no' }],
        },
        {
          id: deliveryIdOf(String(id), 1),
          sequence: 1,
          event_type: 'message.created',
          status: 'delivered',
          attempts: [{ status_code: 204, duration_ms: 12, error: null }],
          next_attempt_at: null,
        },
      ],
      pagination: { totalItems: 2 },
    });
    const delivered = await owner(`${path}?status=delivered`);
    expect(delivered.json).toMatchObject({
      data: [{ sequence: 1 }],
      pagination: { totalItems: 1 },
    });
    const failed = await owner(`${path}?status=failed&limit=1&page=2`);
    expect(failed.json).toMatchObject({ data: [], pagination: { totalItems: 1 } });
  });

  test('a retry makes a failed and a delivered event pending again, under the same id', async () => {
    const { id } = await add();
    await owner('/messages', { json: { to: '+15557654321', body: 'Hello' } });
    await addDeliveries(String(id));
    const path = `/webhook-endpoints/${String(id)}/deliveries`;
    for (const sequence of [1, 2]) {
      const delivery = deliveryIdOf(String(id), sequence);
      const retried = await owner(`${path}/${delivery}/retry`, { method: 'POST' });
      expect(retried).toMatchObject({ status: 200, json: { id: delivery, status: 'pending' } });
    }
    const pending = await owner(`${path}?status=pending`);
    expect(pending.json).toMatchObject({
      data: [{ sequence: 2 }, { sequence: 1, event_type: 'message.created' }],
      pagination: { totalItems: 2 },
    });
    expect((await owner(path)).json).toMatchObject({ pagination: { totalItems: 2 } });
    expectRefusal(
      await owner(`${path}/${deliveryIdOf(String(id), 3)}/retry`, { method: 'POST' }),
      404,
      'not_found',
      'The webhook endpoint has no such delivery',
    );
  });

  test('a replay sends the events of its period again and returns their number', async () => {
    const { id } = await add();
    await owner('/messages', { json: { to: '+15557654321', body: 'Hello' } });
    await addDeliveries(String(id));
    const replay = (json: object) => owner(`/webhook-endpoints/${String(id)}/replay`, { json });
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    expect((await replay({ since: hourAgo })).json).toEqual({ events: 2 });
    expect((await replay({ since: '2020-01-01', until: hourAgo })).json).toEqual({ events: 0 });
    expectRefusal(
      await replay({ since: hourAgo, until: '2020-01-01' }),
      400,
      'invalid_params',
      '`since` must be before `until`',
    );
  });

  test('a disabled endpoint can neither be tested nor receive events again', async () => {
    const { id } = await add({ enabled: false });
    const path = `/webhook-endpoints/${String(id)}`;
    const detail = 'The webhook endpoint is disabled: enable it first';
    const tested = await owner(`${path}/test`, { method: 'POST' });
    expectRefusal(tested, 400, 'invalid_state', detail);
    const replay = await owner(`${path}/replay`, { json: { since: '2026-11-20' } });
    expectRefusal(replay, 400, 'invalid_state', detail);
  });
});
