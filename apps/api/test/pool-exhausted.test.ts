import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, createWorkspaceFixture, startApi } from '@switchboard/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { LIMITS, listBodies, sendTo, timed } from './start-load.ts';
import { ask } from './start-service.ts';

/** Twice the number of connections in the pool, each used by one request. */
const REQUESTS = 60;
const LOCKED_MS = 5_000;
const BOUND_MS = 20_000;

test('with an exhausted pool, every request is answered in time, every 201 has a row, and the API recovers', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const workspace = await createWorkspaceFixture(database.url);
  const api = await startApi({ DATABASE_URL: database.url, ...LIMITS });
  onTestFinished(() => api.stop());
  const locker = new pg.Client({ connectionString: database.url });
  await locker.connect();
  onTestFinished(() => locker.end());

  // From now on, every statement on messages blocks and keeps its connection.
  await locker.query('BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
  const requests = Array.from({ length: REQUESTS }, (_, n) =>
    n % 2 === 0
      ? timed(sendTo(api.url, workspace, `message ${n}`))
      : timed(ask(api.url, `/api/messages/${randomUUID()}`, { token: workspace.apiKey })),
  );
  await delay(LOCKED_MS);
  await locker.query('COMMIT');
  const responses = await Promise.all(requests);

  for (const { result, ms } of responses) {
    expect([201, 404, 500, 503]).toContain(result.status);
    expect(ms).toBeLessThan(BOUND_MS);
  }
  const stored = new Set(await listBodies(database.url));
  const sends = responses.map(({ result }, n) => ({ status: result.status, body: `message ${n}` }));
  for (const { status, body } of sends) {
    if (status === 201) expect(stored).toContain(body);
    if (status === 503) expect(stored).not.toContain(body);
  }
  expect(responses.some(({ result }) => result.status === 503)).toBe(true);
  expect((await sendTo(api.url, workspace, 'after')).status).toBe(201);
});
