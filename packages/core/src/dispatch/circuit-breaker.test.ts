import { expect, test } from 'vitest';
import { getProbeGapMs, provesResponse, readAccountSignal } from './circuit-breaker.ts';
import { createDispatchPolicy } from './dispatch-policy.ts';

const policy = { ...createDispatchPolicy({ unknownLookupsMs: [], pollsMs: [] }), random: () => 1 };
const notSent = { kind: 'not_sent', retryAfterMs: null, code: null, detail: '' } as const;

test.each([
  [{ kind: 'rejected', code: '21211', detail: '', isOptOut: false }, 'answered'],
  [{ ...notSent, reason: 'throttled' }, 'throttled'],
  // The provider was not called, so this proves nothing about it.
  [{ kind: 'withheld', code: 'no_sender', detail: '' }, 'none'],
  [{ kind: 'unknown', detail: 'Twilio responded with 500.' }, 'failed'],
  [{ ...notSent, reason: 'unreachable' }, 'failed'],
  [{ ...notSent, reason: 'credentials' }, 'refused'],
  [{ ...notSent, reason: 'lease_expired' }, 'none'],
] as const)('the outcome %o gives the circuit breaker the signal %s', (outcome, signal) => {
  expect(readAccountSignal(outcome)).toBe(signal);
});

test('a decision on a message and a 429 prove that the provider answers, and nothing else does', () => {
  const signals = ['answered', 'throttled', 'failed', 'refused', 'none'] as const;
  expect(signals.filter(provesResponse)).toEqual(['answered', 'throttled']);
});

test('the gap between probes grows to one minute while an account fails, and to five minutes while its credentials are refused', () => {
  const gaps = (reason: 'failing' | 'refused') =>
    [1, 2, 3, 6, 7, 500].map((probes) => getProbeGapMs(policy, probes, reason) / 1_000);
  expect(gaps('failing')).toEqual([1, 2, 4, 32, 60, 60]);
  expect(gaps('refused')).toEqual([60, 120, 240, 300, 300, 300]);
  const shortest = getProbeGapMs({ ...policy, random: () => 0 }, 500, 'failing');
  expect(shortest).toBe(30_000);
});
