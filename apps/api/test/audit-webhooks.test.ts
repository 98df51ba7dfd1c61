import { randomUUID } from 'node:crypto';
import { auditList } from '@switchboard/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, ask, startService } from './start-service.ts';
import { clientOf } from './workspace-client.ts';

const auditEntry = auditList.shape.data.element;
let service: Service;

beforeAll(async () => {
  service = await startService({ env: { WEBHOOK_ALLOW_LOOPBACK: 'true' } });
});
afterAll(async () => {
  await service.close();
});

const events = (endpointId: unknown) =>
  service.sql<{ type: string; data: unknown }>(
    `SELECT event_type AS type, data FROM webhook_other_events WHERE endpoint_id = $1 ORDER BY added_at, event_id`,
    [String(endpointId)],
  );

test('an endpoint that names audit_entry.created receives each entry as the list has it, and no other endpoint does', async () => {
  const here = await service.addWorkspace();
  const elsewhere = await service.addWorkspace();
  const owner = clientOf(service, here, here.sessionToken);
  const others = clientOf(service, elsewhere, elsewhere.sessionToken);
  const add = async (client: typeof owner, event_types: string[] | null) =>
    (await client('/webhook-endpoints', { json: { url: 'http://127.0.0.1:9/', event_types } }))
      .json;
  const all = await add(owner, null);
  const theirs = await add(others, ['audit_entry.created']);
  const chosen = await add(owner, ['audit_entry.created']);
  const before = await events(chosen?.['id']);
  expect(before).toMatchObject([{ data: { action: 'webhook_endpoint.created' } }]);

  await owner('', { method: 'PATCH', json: { name: 'Renamed' } });
  const program = { authorization: `Bearer ${here.apiKey}` };
  const renamed = await fetch(`${service.url}/api/workspace`, {
    method: 'PATCH',
    headers: { ...program, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'By a program' }),
  });
  expect(renamed.status).toBe(200);

  const sent = (await events(chosen?.['id'])).map(({ type, data }) => {
    expect(type).toBe('audit_entry.created');
    return auditEntry.strict().parse(data);
  });
  const listed = auditList.parse((await owner('/audit?limit=3')).json).data;
  expect(sent.toReversed()).toEqual(listed);
  expect(listed.map(({ actor, ip }) => [actor.type, ip])).toEqual([
    ['api_key', '127.0.0.1'],
    ['user', '127.0.0.1'],
    ['user', '127.0.0.1'],
  ]);
  expect(await events(all?.['id'])).toEqual([]);
  expect(await events(theirs?.['id'])).toHaveLength(1);
});

test('no event of the audit trail has a secret of what was created or rotated', async () => {
  const here = await service.addWorkspace();
  const owner = clientOf(service, here, here.sessionToken);
  const json = { url: 'http://127.0.0.1:9/', event_types: ['audit_entry.created'] };
  const endpoint = await owner('/webhook-endpoints', { json });
  const id = String(endpoint.json?.['id']);
  const key = await owner('/api-keys', { json: { name: 'A key' } });
  const replaced = await owner(`/api-keys/${String(key.json?.['id'])}/rotate`, { json: {} });
  const rotated = await owner(`/webhook-endpoints/${id}/rotate-secret`, { json: {} });
  const invited = await owner('/members', { json: { email: 'new@example.com', role: 'viewer' } });
  const authToken = 'd'.repeat(32);
  const account = { type: 'twilio', account_sid: `AC${'0'.repeat(32)}`, auth_token: authToken };
  await owner('/provider', { method: 'PUT', json: account });
  const secrets = [
    endpoint.json?.['secret'],
    key.json?.['key'],
    replaced.json?.['key'],
    rotated.json?.['secret'],
    invited.json?.['invite_token'],
    authToken,
  ];
  expect(secrets).toEqual(secrets.map(() => expect.stringMatching(/^.{32}/)));

  const sent = await events(id);
  expect(sent.map(({ data }) => auditEntry.parse(data).action)).toEqual([
    'webhook_endpoint.created',
    'api_key.created',
    'api_key.rotated',
    'webhook_endpoint.secret_rotated',
    'member.invited',
    'provider.set',
  ]);
  const text = JSON.stringify(sent);
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test('a key neither names audit_entry.created nor changes or uses an endpoint that does', async () => {
  const here = await service.addWorkspace();
  const owner = clientOf(service, here, here.sessionToken);
  const url = 'http://127.0.0.1:9/';
  const named = { url, event_types: ['message.created', 'audit_entry.created'] };
  const byKey = (path: string, options = {}) =>
    ask(service.url, `/api/webhook-endpoints${path}`, { token: here.apiKey, ...options });
  const ofOwner = await owner('/webhook-endpoints', { json: named });
  const ofKey = await byKey('', { json: { url } });
  expect([ofOwner.status, ofKey.status]).toEqual([201, 201]);
  const [chosen, other] = [ofOwner, ofKey].map(({ json }) => `/${String(json?.['id'])}`);
  const before = (await byKey(String(chosen))).json;

  const period = { since: new Date(0).toISOString() };
  const refused = [
    await byKey('', { json: named }),
    await byKey(`${other}`, { method: 'PATCH', json: { event_types: named.event_types } }),
    await byKey(`${chosen}`, { method: 'PATCH', json: { url: 'http://127.0.0.1:10/' } }),
    await byKey(`${chosen}`, { method: 'PATCH', json: { event_types: null } }),
    await byKey(`${chosen}`, { method: 'DELETE' }),
    await byKey(`${chosen}/rotate-secret`, { json: {} }),
    await byKey(`${chosen}/test`, { method: 'POST' }),
    await byKey(`${chosen}/replay`, { json: period }),
    await byKey(`${chosen}/deliveries`),
    await byKey(`${chosen}/deliveries/${randomUUID()}/retry`, { method: 'POST' }),
  ];
  expect(refused.map(({ status, json }) => [status, json?.['error'], json?.['detail']])).toEqual(
    refused.map(() => [403, 'forbidden', expect.stringContaining('audit_entry.created')]),
  );
  expect((await byKey(String(chosen))).json).toEqual(before);

  // The owner and, for other types, the key may do all of it.
  expect((await owner(`/webhook-endpoints${chosen}/deliveries`)).status).toBe(200);
  const changed = { url, event_types: null };
  for (const done of [
    await owner(`/webhook-endpoints${chosen}`, { method: 'PATCH', json: changed }),
    await byKey(`${other}`, { method: 'PATCH', json: { event_types: ['message.created'] } }),
    await byKey(`${other}/deliveries`),
    await byKey(`${other}/rotate-secret`, { json: {} }),
  ]) {
    expect(done.status).toBe(200);
  }
  // What the endpoint has received of the audit trail stays closed to the key.
  expect((await byKey(`${chosen}/deliveries`)).status).toBe(403);
  await service.sql('DELETE FROM webhook_other_events WHERE workspace_id = $1', [here.workspaceId]);
  expect((await byKey(`${chosen}/deliveries`)).status).toBe(200);
});
