import { expect, test } from 'vitest';
import { createUnknownAccounts } from './unknown-accounts.ts';

const MINUTE_MS = 60_000;

test('an account counts once, until ten minutes after its last unknown outcome', () => {
  let now = 0;
  const accounts = createUnknownAccounts({ monotonic: () => now });
  accounts.record('a');
  accounts.record('b');
  expect(accounts.count()).toBe(2);
  now = 8 * MINUTE_MS;
  accounts.record('a');
  expect(accounts.count()).toBe(2);
  now = 11 * MINUTE_MS;
  expect(accounts.count()).toBe(1);
  now = 19 * MINUTE_MS;
  expect(accounts.count()).toBe(0);
});
