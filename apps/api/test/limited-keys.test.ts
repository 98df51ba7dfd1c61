import { createApiKey } from '@switchboard/credentials';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import {
  behindProxy,
  createKey,
  expectExpired,
  listed,
  owner,
  send,
  sendFromBoth,
  service,
  use,
  useKeys,
  workspace,
} from './key-environment.ts';
import { type ApiResponse, type AskOptions, ask, expectRefusal } from './start-service.ts';
import { addPerson, dataOf } from './workspace-client.ts';

useKeys();

test('an API key with scopes, networks and an expiry is listed and audited as it was created', async () => {
  const created = await createKey({
    scopes: ['messages:send', 'messages:read'],
    expires_at: '2036-01-31T10:00:00+01:00',
    allowed_ips: ['203.0.113.0/24', '::ffff:10.0.0.0/104', '2001:DB8::1', '2001:db8::1/128'],
  });
  const shown = {
    scopes: ['messages:send', 'messages:read'],
    expires_at: '2036-01-31T09:00:00.000Z',
    allowed_ips: ['203.0.113.0/24', '10.0.0.0/8', '2001:db8::1/128'],
  };
  expect(created).toMatchObject({ ...shown, previous_ends_at: null });
  expect(await listed(created.id)).toMatchObject({
    ...shown,
    last_used_at: null,
    last_used_ip: null,
  });
  const [entry] = dataOf(await owner('/audit'));
  expect(entry).toMatchObject({ action: 'api_key.created', detail: { name: 'Billing', ...shown } });

  const plain = await createKey({ scopes: null, allowed_ips: [], expires_at: null });
  expect(plain).toMatchObject({ scopes: ['*'], allowed_ips: [], expires_at: null });
});

test.each([
  ['scopes', [], 'must have at least one scope'],
  ['scopes', 'messages:send', 'must be a list of scopes'],
  ['scopes', ['messages:write'], String.raw`must be \* or one of messages:send, `],
  ['scopes', ['*', 'verify'], 'must not have other scopes beside'],
  ['scopes', ['verify', 'verify'], 'must not name a scope twice'],
  ['expires_at', '2020-01-01T00:00:00Z', 'must be in the future'],
  ['expires_at', '2036-01-31', 'with an offset'],
  ['expires_at', '9999-01-01T00:00:00Z', 'at most 100 years ahead'],
  ['expires_at', 1_900_000_000, 'must be a string'],
  ['allowed_ips', '10.0.0.0/8', 'must be a list of networks'],
  ['allowed_ips', ['10.0.0.0/33'], 'must be an address or a network'],
  ['allowed_ips', ['example.com'], 'must be an address or a network'],
  ['allowed_ips', ['10.1.2.3/8'], 'use 10.0.0.0/8 for the whole network'],
  ['allowed_ips', Array.from({ length: 51 }, () => '10.0.0.1'), 'at most 50 entries'],
])(
  'an API key whose %s is %j is refused with an error that names it',
  async (name, value, reason) => {
    const response = await owner('/api-keys', { json: { name: 'Billing', [name]: value } });
    expectRefusal(response, 400, 'invalid_params', new RegExp(`\`${name}.*${reason}`));
  },
);

test('an API key works until its expiry and from that moment on in no process, by the clock of the database', async () => {
  const { id, key } = await createKey({ expires_at: '2036-01-31T10:00:00Z' });
  await sendFromBoth(key);
  const [row] = await service.sql<{ at: Date }>(
    `UPDATE api_keys SET expires_at = now() + interval '2 seconds' WHERE id = $1 RETURNING expires_at AS at`,
    [id],
  );
  const isOver = async () =>
    (
      await service.sql<{ over: boolean }>(
        'SELECT now() >= expires_at AS over FROM api_keys WHERE id = $1',
        [id],
      )
    )[0]?.over;
  const seen = new Set<string>();
  for (let n = 0; n < 2_000 && !seen.has('after'); n += 1) {
    const wasOver = await isOver();
    const { status } = n % 2 === 0 ? await send(key, n % 4 === 0 ? 0 : 1) : await use(key);
    if (wasOver === true) {
      expect(status).toBe(401);
      seen.add('after');
    } else if ((await isOver()) === false) {
      expect(status).toBeLessThan(300);
      seen.add('before');
    }
  }
  expect([...seen]).toContain('after');
  await expectExpired(key, row?.at.toISOString() ?? '');
  // Who guesses gets the detail of every unknown key.
  expectRefusal(await use(createApiKey().key), 401, 'unauthorized', 'Invalid or missing API key');
  await owner(`/api-keys/${id}`, { method: 'DELETE' });
  expectRefusal(await use(key), 401, 'unauthorized', 'Invalid or missing API key');
});

test('an expired API key does not count in the quota of keys', async () => {
  await service.sql(
    `INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, last4, created_at, expires_at)
     SELECT uuid_v7(now()), $1, 'Old', sha256(uuid_v7(now())::text::bytea), '', '', now(), now() FROM generate_series(1, 100)`,
    [workspace.workspaceId],
  );
  expect((await createKey()).expires_at).toBeNull();
});

const from = (address: string): AskOptions => ({ headers: { 'x-forwarded-for': address } });

test.each([
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['203.0.113.7:49152', null],
  ['198.51.100.1, 203.0.113.255', null],
  ['2001:db8:ffff::9', null],
  ['[2001:db8::9]:443', null],
  ['203.0.114.1', '203.0.114.1'],
  ['203.0.113.7, 198.51.100.1', '198.51.100.1'],
  ['203.0.113.7,198.51.100.1:80', '198.51.100.1'],
  ['::ffff:c633:6401', '198.51.100.1'],
  ['2001:db9::1', '2001:db9::1'],
  ['203.0.113.7, unknown', 'unknown'],
  ['', '127.0.0.1'],
])(
  'behind one proxy, an API key that is used from X-Forwarded-For %j is refused for the address %s',
  async (forwarded, refused) => {
    const { key } = await createKey({ allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] });
    const detail = `the API key may not be used from the address ${refused}$`;
    const check = (response: ApiResponse, status: number) =>
      refused === null
        ? expect(response.status).toBe(status)
        : expectRefusal(response, 403, 'forbidden', detail);
    check(await use(key, from(forwarded), behindProxy.url), 200);
    // The process knows the key now.
    const json = { to: '+15551230001', body: 'x' };
    const known = await ask(behindProxy.url, '/api/messages', {
      token: key,
      json,
      ...from('203.0.113.7'),
    });
    expect(known.status).toBe(201);
    check(
      await ask(behindProxy.url, '/api/messages', { token: key, json, ...from(forwarded) }),
      201,
    );
  },
);

test('without a trusted proxy, no header changes the address from which an API key is used', async () => {
  const { key } = await createKey({ allowed_ips: ['203.0.113.7'] });
  const headers = {
    'x-forwarded-for': '203.0.113.7',
    'x-real-ip': '203.0.113.7',
    forwarded: 'for=203.0.113.7',
    'x-client-ip': '203.0.113.7',
    'cf-connecting-ip': '203.0.113.7',
    'true-client-ip': '203.0.113.7',
  };
  expectRefusal(await use(key, { headers }), 403, 'forbidden', 'from the address 127.0.0.1$');
  const local = await createKey({ allowed_ips: ['127.0.0.0/8', '::1'] });
  expect((await use(local.key, { headers })).status).toBe(200);
});

test('an API key whose stored networks cannot be read is refused everywhere', async () => {
  const { id, key } = await createKey({ allowed_ips: ['127.0.0.1'] });
  await service.sql(`UPDATE api_keys SET allowed_ips = '{localhost}' WHERE id = $1`, [id]);
  expectRefusal(await use(key), 403, 'forbidden', 'from the address 127.0.0.1$');
});

test('requests from other addresses do not use up the rate limit of an API key', async () => {
  const { key } = await createKey({ allowed_ips: ['203.0.113.7'] });
  const remaining = async (address: string) =>
    Number((await use(key, from(address), behindProxy.url)).headers.get('x-ratelimit-remaining'));
  const before = await remaining('203.0.113.7');
  const other = await remaining('198.51.100.1');
  expect(await remaining('198.51.100.1')).toBe(other - 1);
  expect(await remaining('203.0.113.7')).toBe(before - 1);
});

test('the last use of an API key is recorded with the address of the client', async () => {
  const { id, key } = await createKey();
  expect((await use(key, from('::ffff:203.0.113.9'), behindProxy.url)).status).toBe(200);
  await vi.waitFor(async () => {
    expect(await listed(id)).toMatchObject({
      last_used_ip: '203.0.113.9',
      last_used_at: expect.any(String),
    });
  }, EVENTUALLY);
});

test('members and viewers create, rotate and revoke no API key, and a viewer invites nobody', async () => {
  const { id } = await createKey();
  for (const role of ['member', 'viewer'] as const) {
    const { client } = await addPerson(service, workspace, role);
    const denied = 'only an owner may do this';
    expectRefusal(await client('/api-keys', { json: { name: 'More' } }), 403, 'forbidden', denied);
    expectRefusal(await client(`/api-keys/${id}/rotate`, { json: {} }), 403, 'forbidden', denied);
    expectRefusal(await client(`/api-keys/${id}`, { method: 'DELETE' }), 403, 'forbidden', denied);
    const json = { email: 'friend@example.com', role: 'owner' };
    expectRefusal(await client('/members', { json }), 403, 'forbidden', denied);
    expect((await client('/api-keys')).status).toBe(200);
  }
});
