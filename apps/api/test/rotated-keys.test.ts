import { createdApiKey } from '@switchboard/contracts';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createEventClient } from './event-client.ts';
import {
  createKey,
  expectExpired,
  listed,
  owner,
  send,
  sendFromBoth,
  service,
  urlOf,
  use,
  useKeys,
  workspace,
} from './key-environment.ts';
import { expectRefusal } from './start-service.ts';
import { dataOf } from './workspace-client.ts';

useKeys();

async function rotate(id: string, json: object = {}) {
  const response = await owner(`/api-keys/${id}/rotate`, { json });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return createdApiKey.strict().parse(response.json);
}

test('after a rotation, both secrets of an API key work in every process until the overlap ends, and then only the new one', async () => {
  const first = await createKey({ scopes: ['messages:send'] });
  await sendFromBoth(first.key);
  const second = await rotate(first.id, { overlap_seconds: 3_600 });
  expect(second).toMatchObject({ id: first.id, name: first.name, scopes: first.scopes });
  expect(second.key).not.toBe(first.key);
  for (const key of [first.key, second.key]) {
    await sendFromBoth(key);
    expect((await use(key)).status).toBe(200);
  }
  const senders = await service.sql<{ id: string }>(
    'SELECT DISTINCT sent_by_id AS id FROM message_records WHERE workspace_id = $1',
    [workspace.workspaceId],
  );
  expect(senders).toEqual([{ id: first.id }]);
  expect(await listed(first.id)).toMatchObject({
    last4: second.last4,
    previous_ends_at: second.previous_ends_at,
  });
  const [entry] = dataOf(await owner('/audit'));
  expect(entry).toMatchObject({
    action: 'api_key.rotated',
    target: first.id,
    detail: { name: 'Billing', previous_ends_at: second.previous_ends_at },
  });
  expect(JSON.stringify(entry)).not.toContain(second.key);

  const [ended] = await service.sql<{ at: Date }>(
    'UPDATE replaced_keys SET ends_at = now() WHERE api_key_id = $1 RETURNING ends_at AS at',
    [first.id],
  );
  await expectExpired(first.key, ended?.at.toISOString() ?? '');
  await sendFromBoth(second.key);
  expect(await listed(first.id)).toMatchObject({ previous_ends_at: null });
});

test('a rotation without an overlap ends all earlier secrets before its response, in every process', async () => {
  const first = await createKey();
  const second = await rotate(first.id);
  for (const { key } of [first, second]) await sendFromBoth(key);
  const headers = { authorization: `Bearer ${first.key}` };
  const url = `${urlOf(1).replace('http', 'ws')}/api/events`;
  const program = createEventClient(new WebSocket(url, { headers }));
  await program.receive(1);
  const third = await rotate(first.id, { overlap_seconds: 0 });
  expect(third.previous_ends_at).toBeNull();
  for (const { key } of [first, second]) {
    for (const api of [0, 1]) {
      expectRefusal(await send(key, api), 401, 'unauthorized', 'The API key expired at ');
      expectRefusal(await use(key, {}, urlOf(api)), 401, 'unauthorized', 'The API key expired at ');
    }
  }
  await sendFromBoth(third.key);
  expect(await program.closed).toBe(4401);
});

test('a rotation that is repeated because its response was lost leaves the secret in use its overlap', async () => {
  const first = await createKey();
  const lost = await rotate(first.id, { overlap_seconds: 600 });
  const repeated = await rotate(first.id, { overlap_seconds: 600 });
  for (const { key } of [first, lost, repeated]) expect((await use(key)).status).toBe(200);
  expect(Date.parse(repeated.previous_ends_at ?? '')).toBeGreaterThan(
    Date.parse(lost.previous_ends_at ?? ''),
  );
});

test('a rotation gives the new secret another expiry, and the earlier ones keep theirs', async () => {
  const first = await createKey({ expires_at: '2036-01-31T00:00:00Z' });
  await service.sql(`UPDATE api_keys SET expires_at = now() + interval '1 hour' WHERE id = $1`, [
    first.id,
  ]);
  const before = (await listed(first.id))?.['expires_at'];
  const second = await rotate(first.id, {
    overlap_seconds: 604_800,
    expires_at: '2037-01-31T00:00:00Z',
  });
  expect(second).toMatchObject({
    expires_at: '2037-01-31T00:00:00.000Z',
    previous_ends_at: before,
  });
});

test('an API key has a quota of earlier secrets that work, which a rotation without an overlap frees', async () => {
  const { id } = await createKey();
  for (let n = 0; n < 10; n += 1) await rotate(id);
  expectRefusal(await owner(`/api-keys/${id}/rotate`, { json: {} }), 403, 'quota_exceeded');
  await rotate(id, { overlap_seconds: 0 });
  await rotate(id);
});

test('a rotation of an API key that was revoked, has expired or is unknown is refused', async () => {
  const { id, key } = await createKey();
  const other = await service.addWorkspace();
  for (const unknown of [other.apiKeyId, '00000000-0000-7000-8000-000000000000']) {
    expectRefusal(await owner(`/api-keys/${unknown}/rotate`, { method: 'POST' }), 404, 'not_found');
  }
  await service.sql('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id]);
  expectRefusal(await owner(`/api-keys/${id}/rotate`, { json: {} }), 400, 'invalid_state');
  await service.sql('UPDATE api_keys SET expires_at = NULL, revoked_at = now() WHERE id = $1', [
    id,
  ]);
  expectRefusal(await owner(`/api-keys/${id}/rotate`, { json: {} }), 400, 'invalid_state');
  expectRefusal(await use(key), 401, 'unauthorized');
  for (const overlap of [-1, 1.5, 604_801, '60']) {
    const json = { overlap_seconds: overlap };
    expectRefusal(
      await owner(`/api-keys/${id}/rotate`, { json }),
      400,
      'invalid_params',
      'overlap_seconds',
    );
  }
});

test('revoking an API key also ends the secrets that a rotation replaced', async () => {
  const first = await createKey();
  const second = await rotate(first.id);
  for (const { key } of [first, second]) await sendFromBoth(key);
  expect((await owner(`/api-keys/${first.id}`, { method: 'DELETE' })).status).toBe(200);
  for (const { key } of [first, second]) {
    for (const api of [0, 1])
      expectRefusal(await send(key, api), 401, 'unauthorized', 'Invalid or missing');
  }
});
