import { afterAll, beforeAll, expect, test } from 'vitest';
import { FUZZ_ENV, WEBHOOKS, runFuzz } from './fuzz/run-fuzz.ts';
import { type Service, startService } from './start-service.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ env: FUZZ_ENV });
});
afterAll(() => service.close());

// The test takes less than 20 seconds on two idle cores.
test('2,000 generated valid and invalid requests cause no failure and only documented responses', async () => {
  const { statuses, accepted } = await runFuzz(service, 2_000, 20_261_120);
  // Every class of status occurred, so that the requests reached the handlers.
  for (const status of [200, 201, 400, 401, 403, 404])
    expect(statuses.get(status)).toBeGreaterThan(5);
  expect(WEBHOOKS).toHaveLength(8);
  for (const webhook of WEBHOOKS) expect(accepted.get(webhook)).toBeGreaterThan(5);
});
