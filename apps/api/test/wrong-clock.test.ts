import {
  createTestDatabase,
  createWorkspaceFixture,
  findFaketime,
  startApi,
} from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';

/** Starting a process takes a long time on a busy machine. */
const START_MS = 120_000;

test.each(['+7200', '-7200'])(
  'a message is created at the database’s time even if the API’s clock is off by %s seconds',
  async (offset) => {
    const { url: databaseUrl } = await createTestDatabase();
    const { apiKey } = await createWorkspaceFixture(databaseUrl);
    const api = await startApi({
      DATABASE_URL: databaseUrl,
      LD_PRELOAD: await findFaketime(),
      FAKETIME: offset,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    onTestFinished(() => api.stop());
    const from = Date.now();
    const authorization = `Bearer ${apiKey}`;
    const response = await fetch(`${api.url}/api/messages`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ to: '+14155550123', body: 'Hello' }),
    });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as { id: string };
    const read = await fetch(`${api.url}/api/messages/${id}`, { headers: { authorization } });
    const message = (await read.json()) as { created_at: string };
    // The Date header shows the API's own clock, which proves that the clock is off.
    const off = Math.abs(Date.parse(response.headers.get('date') ?? '') - from);
    expect(off).toBeGreaterThan(7_000_000);
    // The API measures the database’s clock with a round trip, which is slow on a busy machine.
    expect(Date.parse(message.created_at)).toBeGreaterThan(from - 60_000);
    expect(Date.parse(message.created_at)).toBeLessThan(Date.now() + 60_000);
  },
  START_MS,
);
