import { afterAll, beforeAll, expect, test } from 'vitest';
import { FUZZ_ENV, runFuzz } from '../test/fuzz/run-fuzz.ts';
import { type Service, startService } from '../test/start-service.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ env: FUZZ_ENV });
});
afterAll(() => service.close());

test('100,000 generated requests: no failure, every answer as documented, the process lives', async () => {
  const [api] = service.apis;
  const seed = Math.trunc(Date.now() / 1000);
  const statuses = await runFuzz(service, 100_000, seed);
  for (const status of [200, 201, 400, 401, 403, 404])
    expect(statuses.get(status)).toBeGreaterThan(500);
  expect(api?.logs.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
}, 3_600_000);
