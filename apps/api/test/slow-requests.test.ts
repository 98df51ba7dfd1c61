import { once } from 'node:events';
import { type Socket, createConnection } from 'node:net';
import { createLogger } from '@switchboard/runtime';
import { TEST_SECRET_KEY, type TestDatabase, createTestDatabase } from '@switchboard/testing';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { readApiConfig } from '../src/config.ts';
import { type Dependencies, createDependencies } from '../src/dependencies.ts';
import { ask, sendRaw } from './start-service.ts';

let database: TestDatabase;
let dependencies: Dependencies;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('REDIS_URL', '');
  vi.stubEnv('SECRET_KEY', TEST_SECRET_KEY);
  vi.stubEnv('PUBLIC_URL', 'http://switchboard.test');
  const logger = createLogger({ name: 'test', level: 'silent' });
  dependencies = await createDependencies(readApiConfig(), logger);
  // As in production, with shorter timeouts.
  app = await createApp(dependencies, { logger, trustedProxies: 0, requestTimeoutMs: 500 });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await dependencies.close();
  await database.drop();
  vi.unstubAllEnvs();
});

const HEAD = 'POST /api/ui/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

test.each([
  ['headers', 'POST /api/messages HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  ['body', `${HEAD}Content-Length: 500\r\n\r\n{"email":`],
  ['chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
])(
  'a request with endless %s is answered with 400 in JSON, and its connection is closed',
  async (_name, bytes) => {
    const received = await sendRaw(url, [bytes]);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head.toLowerCase()).toContain('x-request-id: ');
    expect(JSON.parse(body)).toEqual({
      error: 'invalid_params',
      detail: expect.stringContaining('too long'),
    });
    expect((await ask(url, '/health/live')).status).toBe(200);
  },
);

test('a client that reads nothing of the responses to its requests is disconnected', async () => {
  const accepted = once(app.server, 'connection');
  const { hostname, port } = new URL(url);
  const client = createConnection(Number(port), hostname);
  client.on('error', () => undefined);
  client.pause();
  // More than the buffers of the system hold.
  client.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
  const [connection] = (await accepted) as [Socket];
  await once(connection, 'close');
  expect(connection.destroyed).toBe(true);
  client.destroy();
});
