import fc from 'fast-check';
import { expect, test } from 'vitest';

import { holdsSid, isOwnSid, listSidKeys, toOwnSid, toSidKey } from './provider-identifier.ts';

test.each([
  ['00B8BE19', 'b8be19'],
  ['39f99dd5', '0972660181'],
  ['0000029095', '29095'],
  ['33E95179', '870928761'],
  ['1E240', '123456'],
  ['123456', '1e240'],
  ['a29f6845555647139E5C', 'A29F6845555647139e5c'],
  ['A-1', 'a-1'],
  ['000', '0'],
])('the identifier %s of a response is found by %s of a receipt', (response, receipt) => {
  expect(listSidKeys(receipt)).toContain(toSidKey(response));
});

test('identifiers that are not the same number are not found', () => {
  expect(listSidKeys('123')).toEqual(['123', '291', '7b']);
  expect(listSidKeys('xyz')).toEqual(['xyz']);
});

test('a number of any length is found in the other base, with zeros and in capitals', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 200n }), fc.nat(10), (number, zeros) => {
      const hexadecimal = `${'0'.repeat(zeros)}${number.toString(16).toUpperCase()}`;
      const decimal = `${'0'.repeat(zeros)}${number}`;
      expect(listSidKeys(decimal)).toContain(toSidKey(hexadecimal));
      expect(listSidKeys(hexadecimal)).toContain(toSidKey(decimal));
    }),
  );
});

test('a message that shares its identifier still holds it', () => {
  const own = toOwnSid('7', 'm1');
  expect(toSidKey(own)).toBe('7');
  expect(isOwnSid(own, 'm1')).toBe(true);
  expect(holdsSid({ id: 'm1', providerSid: own }, '7')).toBe(true);
  expect(holdsSid({ id: 'm2', providerSid: own }, '7')).toBe(false);
});
