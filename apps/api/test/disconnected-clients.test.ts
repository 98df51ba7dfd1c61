import { once } from 'node:events';
import { createConnection } from 'node:net';
import { createTestDatabase, createWorkspaceFixture, startApi } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { LIMITS, TO, listBodies, sendTo } from './start-load.ts';

const CLIENTS = 30;

test('a process that was blocked does not process requests of clients that have disconnected', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const workspace = await createWorkspaceFixture(database.url);
  const api = await startApi({ DATABASE_URL: database.url, ...LIMITS });
  onTestFinished(() => api.stop());
  const { hostname, port } = new URL(api.url);

  api.signal('SIGSTOP');
  for (let n = 0; n < CLIENTS; n += 1) {
    const body = JSON.stringify({ to: TO, body: `message ${n}` });
    const client = createConnection(Number(port), hostname);
    await once(client, 'connect');
    client.end(
      `POST /api/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.apiKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(client, 'finish');
    client.destroy();
  }
  const waiting = sendTo(api.url, workspace, 'still there');
  api.signal('SIGCONT');
  expect((await waiting).status).toBe(201);
  const after = await sendTo(api.url, workspace, 'after');
  expect((await listBodies(database.url)).toSorted()).toEqual(['after', 'still there']);
  // Every processed request counts toward the rate limit: only the two of connected clients did.
  const used =
    Number(LIMITS.RATE_LIMIT_MESSAGING) - Number(after.headers.get('x-ratelimit-remaining'));
  expect(used).toBe(2);
});
