import { afterAll, beforeAll, expect, test } from 'vitest';
import { FUZZ_ENV, WEBHOOKS, runFuzz } from './fuzz/run-fuzz.ts';
import { type Service, startService } from './start-service.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ env: FUZZ_ENV });
});
afterAll(() => service.close());

// Under twenty seconds on a machine of two cores; more where it has other things to do.
test('2,000 generated requests, good ones and spoiled ones: no failure, every answer as documented', async () => {
  const { statuses, accepted } = await runFuzz(service, 2_000, 20_261_120);
  // Each kind of answer came, so that not everything stopped at the door.
  for (const status of [200, 201, 400, 401, 403, 404])
    expect(statuses.get(status)).toBeGreaterThan(20);
  expect(WEBHOOKS).toHaveLength(2);
  for (const webhook of WEBHOOKS) expect(accepted.get(webhook)).toBeGreaterThan(5);
}, 120_000);
