import {
  createTestDatabase,
  createWorkspaceFixture,
  findFaketime,
  startApi,
} from '@switchboard/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from './start-service.ts';

test('APIs with clocks four hours apart keep the history in order and use the database’s time', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const workspace = await createWorkspaceFixture(database.url);
  const library = await findFaketime();
  const apis = await Promise.all(
    ['+7200', '-7200'].map((seconds) =>
      startApi({
        DATABASE_URL: database.url,
        LD_PRELOAD: library,
        FAKETIME: seconds,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(apis.map((api) => api.stop()));
  });
  const token = workspace.apiKey;
  const startedAt = Date.now();
  const bodies = Array.from({ length: 6 }, (_, n) => `Number ${n}`);
  for (const [n, body] of bodies.entries()) {
    const url = apis[n % 2]?.url ?? '';
    const sent = await ask(url, '/api/messages', { token, json: { to: '+15551230001', body } });
    expect(sent.status).toBe(201);
    // Measuring a clock takes round trips, which are slow on a busy machine.
    await delay(1_000);
  }
  const { json } = await ask(apis[0]?.url ?? '', '/api/messages', { token });
  const messages = json?.['messages'] as { body: string; created_at: string }[];
  expect(messages.map(({ body }) => body)).toEqual(bodies.toReversed());
  for (const { created_at } of messages) {
    const agoMs = Date.now() - Date.parse(created_at);
    expect(agoMs).toBeGreaterThan(-60_000);
    expect(agoMs).toBeLessThan(Date.now() - startedAt + 60_000);
  }
});
