import { randomBytes } from 'node:crypto';
import { BatchFullError } from '@switchboard/core';
import { createApiKey, createSessionToken } from '@switchboard/credentials';
import { startApi } from '@switchboard/testing';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handleErrors } from '../src/http/handle-errors.ts';
import { type Service, ask, expectRefusal, sendRaw, startService } from './start-service.ts';

// These tests cover rules of docs/security.md that no other file covers.

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('a malformed credential is refused without a database query', async () => {
  // No database is reachable.
  const api = await startApi({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
  try {
    const { key } = createApiKey();
    const broken = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    expectRefusal(await ask(api.url, '/api/workspace', { token: broken }), 401, 'unauthorized');
    const cut = createSessionToken().slice(0, -1);
    expectRefusal(await ask(api.url, '/api/ui/me', { token: cut }), 401, 'unauthorized');
    const unknown = await ask(api.url, '/api/workspace', { token: key });
    expectRefusal(unknown, 503, 'service_unavailable');
  } finally {
    await api.stop();
  }
});

test('secret scanners can recognize an API key by its format', () => {
  for (let made = 0; made < 100; made += 1) {
    const { key } = createApiKey();
    expect(/\bswb_[0-9A-Za-z]{38}\b/.exec(`KEY="${key}"\n`)?.[0]).toBe(key);
  }
});

test('the database stores session tokens and passwords only as hashes', async () => {
  const workspace = await service.addWorkspace();
  const { email, password } = workspace;
  const logIn = { json: { email, password } };
  const { json } = await ask(service.url, '/api/ui/sessions', logIn);
  const token = String(json?.['token']);
  expect(token).toMatch(/^sws_[0-9A-Za-z]{43}$/);
  const rows = await service.sql<{ row: string }>(
    `SELECT s::text AS row FROM sessions s UNION ALL SELECT u::text FROM users u`,
  );
  const text = rows.map(({ row }) => row).join('\n');
  expect(text).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  for (const secret of [token, token.slice(4), password]) expect(text).not.toContain(secret);
});

test('a session expires after at most 30 days', async () => {
  const workspace = await service.addWorkspace();
  const { email, password } = workspace;
  const { json } = await ask(service.url, '/api/ui/sessions', { json: { email, password } });
  const days = (Date.parse(String(json?.['expires_at'])) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThanOrEqual(30);
});

test('a WebSocket is never compressed', async () => {
  const { apiKey } = await service.addWorkspace();
  const received = await sendRaw(service.url, [
    [
      'GET /api/events HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
      `Authorization: Bearer ${apiKey}`,
      '\r\n',
    ].join('\r\n'),
    // A close frame with a zero mask.
    Buffer.from([0x88, 0x80, 0, 0, 0, 0]),
  ]);
  expect(received).toMatch(/^HTTP\/1\.1 101 /);
  expect(received.toLowerCase()).not.toContain('sec-websocket-extensions');
});

test('a request that meets a full queue is answered with 503 and Retry-After', async () => {
  const app = fastify();
  handleErrors(app);
  app.get('/full', () => Promise.reject(new BatchFullError()));
  const { statusCode, headers, body } = await app.inject('/full');
  expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
  expect(JSON.parse(body)).toMatchObject({ error: 'service_unavailable' });
  await app.close();
});
