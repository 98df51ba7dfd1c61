import { expect, test } from 'vitest';
import { readCountryCode, readSenderKind } from './sender-kind.ts';

test.each([
  ['+14155550100', 'long_code'],
  ['+18005550100', 'toll_free'],
  ['12345', 'short_code'],
  ['My Shop', 'alphanumeric'],
  ['12', null],
  ['123456789', null],
  ['A name that is too long', null],
  ['+1', null],
  ['', null],
])('the sender “%s” is of the kind %s', (sender, kind) => {
  expect(readSenderKind(sender)).toBe(kind);
});

test.each([
  ['+14155550100', '1'],
  ['+79161234567', '7'],
  ['+442071838750', '44'],
  ['+3531234567', '353'],
  ['My Shop', null],
])('the country code of %s is %s', (sender, code) => {
  expect(readCountryCode(sender)).toBe(code);
});
