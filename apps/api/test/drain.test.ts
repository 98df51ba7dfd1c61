import {
  EVENTUALLY,
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
} from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { LIMITS, listBodies, sendTo, startLoad, timed } from './start-load.ts';
import { ask } from './start-service.ts';

const DRAIN_MS = 15_000;

test('a stopping API logs no error for the health checks of its proxy', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const api = await startApi({ ...LIMITS, DATABASE_URL: database.url, DRAIN_MS: String(DRAIN_MS) });
  const stopped = api.stop();
  await expect
    .poll(async () => (await ask(api.url, '/health/ready')).status, { ...EVENTUALLY, interval: 10 })
    .toBe(503);
  await stopped;

  expect(api.logs.some((line) => line.includes('"msg":"shut down"'))).toBe(true);
  expect(api.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('a stopping API reports immediately that it is not ready, and still accepts requests during the drain time', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const workspace = await createWorkspaceFixture(database.url);
  const env = { ...LIMITS, DATABASE_URL: database.url, DRAIN_MS: String(DRAIN_MS) };
  const api = await startApi(env);
  const load = startLoad(4, (body) => sendTo(api.url, workspace, body));
  await expect.poll(() => load.responses.size, EVENTUALLY).toBeGreaterThan(10);

  const ending = timed(api.stop());
  await expect
    .poll(async () => (await ask(api.url, '/health/ready')).status, { ...EVENTUALLY, interval: 10 })
    .toBe(503);
  const responsesAtNotReady = load.responses.size;
  // A proxy sends requests until it has detected the failed readiness check.
  await expect
    .poll(() => load.responses.size, EVENTUALLY)
    .toBeGreaterThan(responsesAtNotReady + 10);
  await load.stop();

  const { ms } = await ending;
  expect(ms).toBeGreaterThanOrEqual(DRAIN_MS);
  expect(load.failures.size).toBe(0);
  expect(new Set([...load.responses.values()].map(({ status }) => status))).toEqual(new Set([201]));
  expect((await listBodies(database.url)).toSorted()).toEqual(
    [...load.responses.keys()].toSorted(),
  );
});
