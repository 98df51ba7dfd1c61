import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FUZZ_ENV, WEBHOOKS, runFuzz } from '../test/fuzz/run-fuzz.ts';
import { type Service, ask, startService } from '../test/start-service.ts';

const WARM_UP = 20_000;
const REQUESTS = 80_000;
/** Idle connections to the API and to the database are closed by then. */
const UNTIL_IDLE_MS = 15_000;

let service: Service;

beforeAll(async () => {
  service = await startService({ env: FUZZ_ENV });
});
afterAll(() => service.close());

/** Measures the resources that the idle API holds. */
async function readFootprint() {
  await delay(UNTIL_IDLE_MS);
  const { text } = await ask(service.url, '/metrics');
  const read = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  return {
    openFiles: read('process_open_fds'),
    residentMb: Math.round(read('process_resident_memory_bytes') / 1e6),
    handles: read('nodejs_active_handles_total'),
  };
}

test('100,000 generated requests cause no failure, get only documented responses and leak nothing', async ({
  annotate,
}) => {
  const [api] = service.apis;
  const seed = Math.trunc(Date.now() / 1000);
  await runFuzz(service, WARM_UP, seed);
  const before = await readFootprint();
  const { statuses, accepted } = await runFuzz(service, REQUESTS, seed + 1);
  const after = await readFootprint();
  const responses = Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b));
  const webhooks = Object.fromEntries(WEBHOOKS.map((route) => [route, accepted.get(route)]));
  await annotate(JSON.stringify({ seed, responses, webhooks, before, after }));

  for (const status of [200, 201, 400, 401, 403, 404])
    expect(statuses.get(status)).toBeGreaterThan(500);
  for (const webhook of WEBHOOKS) expect(accepted.get(webhook)).toBeGreaterThan(100);
  expect(after.openFiles).toBeLessThan(before.openFiles + 10);
  expect(after.handles).toBeLessThan(before.handles + 10);
  expect(after.residentMb).toBeLessThan(before.residentMb * 1.5);
  expect(api?.logs.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
}, 3_600_000);
