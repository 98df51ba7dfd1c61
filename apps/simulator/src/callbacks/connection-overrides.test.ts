import { expect, test } from 'vitest';
import { splitOverrides } from './connection-overrides.ts';

test("a webhook URL without a fragment has Twilio's defaults: one retry, on connection failures", () => {
  expect(splitOverrides('https://example.com/a?b=c')).toEqual({
    url: 'https://example.com/a?b=c',
    overrides: {
      connectTimeoutMs: 5_000,
      readTimeoutMs: 15_000,
      totalTimeoutMs: 15_000,
      retries: 1,
      retryOn: new Set(['ct']),
    },
  });
});

test('the fragment of a webhook URL sets retries, policy and timeouts, and is removed from the URL', () => {
  const { url, overrides } = splitOverrides('http://h/p?q=1#rc=3&rp=5xx,rt&ct=200&rt=300&tt=400');
  expect(url).toBe('http://h/p?q=1');
  expect(overrides).toEqual({
    connectTimeoutMs: 200,
    readTimeoutMs: 300,
    totalTimeoutMs: 400,
    retries: 3,
    retryOn: new Set(['5xx', 'rt']),
  });
});

test('connection overrides beyond the limits are clamped, and "all" selects every policy', () => {
  const { overrides } = splitOverrides('http://h/#rc=9&rp=all&ct=1&rt=99999');
  expect(overrides).toMatchObject({ retries: 5, connectTimeoutMs: 100, readTimeoutMs: 15_000 });
  expect(overrides.retryOn).toEqual(new Set(['4xx', '5xx', 'ct', 'rt']));
});
