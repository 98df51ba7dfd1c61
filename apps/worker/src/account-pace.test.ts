import { expect, test } from 'vitest';
import { createAccountPace } from './account-pace.ts';

/** Returns whether a provider accepts a call at this time, in milliseconds. */
type Limit = (now: number) => boolean;

/** Accepts `count` calls in each period that starts with a multiple of its length. */
function perPeriod(count: number, periodMs = 1_000): Limit {
  let period = -1;
  let used = 0;
  return (now) => {
    const current = Math.floor(now / periodMs);
    if (current !== period) used = 0;
    period = current;
    used += 1;
    return used <= count;
  };
}

/** Accepts a call while its bucket has a token, of which `perSecond` are added. */
function tokenBucket(perSecond: number, size = perSecond): Limit {
  let tokens = size;
  let at = 0;
  return (now) => {
    tokens = Math.min(size, tokens + ((now - at) * perSecond) / 1_000);
    at = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Accepts `count` calls in any period. Refused calls count too. */
function slidingWindow(count: number, periodMs = 1_000): Limit {
  const calls: number[] = [];
  return (now) => {
    while ((calls[0] ?? now) <= now - periodMs) calls.shift();
    calls.push(now);
    return calls.length <= count;
  };
}

const LATENCY_MS = 40;

/** Sends as fast as the pace permits, with at most `window` calls in flight. */
function send(limit: Limit, { seconds, window = 24 }: { seconds: number; window?: number }) {
  let now = 0;
  const pace = createAccountPace(() => now);
  const inFlight: { endsAt: number; isAccepted: boolean }[] = [];
  const result = { accepted: 0, throttled: 0 };
  for (; now < seconds * 1_000; now += 1) {
    while (inFlight[0] !== undefined && inFlight[0].endsAt <= now) {
      const isAccepted = inFlight.shift()?.isAccepted === true;
      if (isAccepted) pace.accept();
      else pace.throttle();
      result[isAccepted ? 'accepted' : 'throttled'] += 1;
    }
    while (inFlight.length < window && pace.nextAt <= now) {
      pace.take();
      inFlight.push({ endsAt: now + LATENCY_MS, isAccepted: limit(now) });
    }
  }
  return result;
}

test.each<[string, number, () => Limit]>([
  ['20 in each second', 20, () => perPeriod(20)],
  ['3 in each second', 3, () => perPeriod(3)],
  ['100 in each second', 100, () => perPeriod(100)],
  ['300 in each second', 300, () => perPeriod(300)],
  ['20 a second with a bucket of 20', 20, () => tokenBucket(20)],
  ['50 a second with a bucket of 1', 50, () => tokenBucket(50, 1)],
  ['10 a second with a bucket of 100', 10, () => tokenBucket(10, 100)],
  ['20 in any second, with refused ones', 20, () => slidingWindow(20)],
  ['120 in each minute', 2, () => perPeriod(120, 60_000)],
])(
  'a worker uses at least 90 percent of the rate of a provider that accepts %s',
  (_what, perSecond, createLimit) => {
    const seconds = 120;
    const { accepted, throttled } = send(createLimit(), { seconds });
    expect(accepted).toBeGreaterThanOrEqual(0.9 * perSecond * seconds);
    expect(throttled).toBeLessThan(0.1 * accepted + 300);
  },
);

test('the pace follows a limit that drops and rises again', () => {
  const [high, low] = [perPeriod(100), perPeriod(10)];
  const isLow = (now: number) => now >= 30_000 && now < 60_000;
  const { accepted } = send((now) => (isLow(now) ? low : high)(now), { seconds: 120 });
  expect(accepted).toBeGreaterThan(0.8 * (90 * 100 + 30 * 10));
});

test('without throttled calls the pace has no limit, and a limit is forgotten after a minute', () => {
  let now = 0;
  const pace = createAccountPace(() => now);
  for (let count = 0; count < 1_000; count += 1) {
    pace.take();
    pace.accept();
  }
  expect(pace).toMatchObject({ isLimited: false, nextAt: -Infinity });
  pace.throttle();
  expect(pace.isLimited).toBe(true);
  now = 61_000;
  pace.accept();
  expect(pace.isLimited).toBe(false);
});

test('a call that is not made takes nothing from the pace', () => {
  const pace = createAccountPace(() => 0);
  pace.throttle();
  const before = pace.nextAt;
  const takenMs = pace.take();
  expect(pace.nextAt).toBeGreaterThan(before);
  pace.giveBack(takenMs);
  expect(pace.nextAt).toBe(before);
});
