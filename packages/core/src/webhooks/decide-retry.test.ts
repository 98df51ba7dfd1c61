import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FAILING_LIMIT_MS,
  MAX_HOLD_MS,
  decideDisable,
  decideRetry,
  holdAfterFailures,
  isDelivered,
  readRetryAfter,
} from './decide-retry.ts';

const delaysMs = [5_000, 300_000, 1_800_000];
const random = fc.double({ min: 0, max: 1, noNaN: true });
const statusCode = fc.option(fc.integer({ min: 100, max: 599 }), { nil: null });
const retryAfterMs = fc.option(fc.integer({ min: 0, max: 10 * 86_400_000 }), { nil: null });
const outcome = fc.record({ statusCode, retryAfterMs });

describe('the retry schedule of workspace webhooks', () => {
  test('a delivery is retried once after each delay, no earlier and at most a tenth later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), random, (tries, chance) => {
        const failed = { statusCode: 500, retryAfterMs: null };
        const retry = decideRetry(failed, { delaysMs, tries, random: chance });
        const delayMs = delaysMs[tries - 1];
        if (delayMs === undefined) {
          expect(retry).toBeNull();
        } else {
          expect(retry?.delayMs).toBeGreaterThanOrEqual(delayMs);
          expect(retry?.delayMs).toBeLessThanOrEqual(delayMs * 1.1 + 1);
        }
      }),
    );
  });

  test('a retry waits at least as long as a 429 or 503 requests, and at most an hour', () => {
    fc.assert(
      fc.property(outcome, random, (response, chance) => {
        const requested = readRetryAfter(response);
        const isHonored = response.statusCode === 429 || response.statusCode === 503;
        if (!isHonored) expect(requested).toBeNull();
        if (requested !== null) {
          expect(requested).toBe(Math.min(response.retryAfterMs ?? 0, 3_600_000));
          const retry = decideRetry(response, { delaysMs, tries: 1, random: chance });
          expect(retry?.delayMs).toBeGreaterThanOrEqual(requested);
        }
      }),
    );
  });

  test('an endpoint is disabled only by a 410 or by five days of failures', () => {
    expect(decideDisable({ statusCode: 410 }, 0)).toBe('gone');
    expect(decideDisable({ statusCode: 500 }, FAILING_LIMIT_MS - 1)).toBeNull();
    expect(decideDisable({ statusCode: null }, FAILING_LIMIT_MS)).toBe('failing');
  });

  test('a failing endpoint is held for a second at first and never for more than a minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), random, (failures, chance) => {
        const delayMs = holdAfterFailures(failures, { maxMs: MAX_HOLD_MS, random: chance });
        expect(delayMs).toBeGreaterThanOrEqual(900);
        expect(delayMs).toBeLessThanOrEqual(60_000);
      }),
    );
    expect(holdAfterFailures(1, { maxMs: MAX_HOLD_MS, random: 0 })).toBe(1_000);
    expect(holdAfterFailures(9, { maxMs: 5_000, random: 0 })).toBe(5_000);
  });

  test('only the status codes from 200 to 299 count as delivered', () => {
    fc.assert(
      fc.property(statusCode, (code) => {
        expect(isDelivered({ statusCode: code })).toBe(
          code !== null && Math.trunc(code / 100) === 2,
        );
      }),
    );
  });
});
