import { expect, test } from 'vitest';

import { toOwnSid } from '../dispatch/provider-identifier.ts';
import type { MessageStatus } from '../message-status.ts';
import { chooseHolder } from './choose-holder.ts';

const A = '+14155550100';
const B = '+14155550199';

const rowOf = (providerSid: string, to = A, status: MessageStatus = 'queued') => ({
  providerSid,
  to,
  status,
});

const receiptOf = (sid: string, { addresses = [''], expectedKey = sid } = {}) => ({
  sid,
  match: { expectedKey, addresses },
});

test('the only message that fits is chosen, whatever the settings expect', () => {
  const row = rowOf('1E240');
  expect(chooseHolder([row], receiptOf('123456'))).toBe(row);
  expect(chooseHolder([row], receiptOf('123456', { expectedKey: 'other' }))).toBe(row);
  expect(chooseHolder([], receiptOf('123456'))).toBeNull();
});

test('of several identifiers, the one that the settings expect is chosen, and otherwise the same spelling', () => {
  const [decimal, hexadecimal, same] = [rowOf('16'), rowOf('a'), rowOf('10')];
  const all = [decimal, hexadecimal, same];
  expect(chooseHolder(all, receiptOf('10'))).toBe(same);
  expect(chooseHolder(all, receiptOf('10', { expectedKey: 'a' }))).toBe(hexadecimal);
  expect(chooseHolder(all, receiptOf('10', { expectedKey: '16' }))).toBe(decimal);
  const spellings = [rowOf('ab'), rowOf('AB')];
  expect(chooseHolder(spellings, receiptOf('AB', { expectedKey: 'ab' }))).toBe(spellings[1]);
});

test('if several identifiers fit and nothing settles it, none is chosen', () => {
  expect(chooseHolder([rowOf('16'), rowOf('a')], receiptOf('10'))).toBeNull();
});

test.each(['14155550199', '+14155550199', '0014155550199', '4155550199', '04155550199'])(
  'of two messages with one identifier, the one to the address %s is chosen',
  (address) => {
    const [first, second] = [rowOf('7', A), rowOf(toOwnSid('7', 'm2'), B)];
    for (const addresses of [
      [address, '12345'],
      ['12345', address],
    ]) {
      expect(chooseHolder([first, second], receiptOf('7', { addresses }))).toBe(second);
    }
  },
);

test('of two messages with one identifier to one address, the older one without a final status is chosen', () => {
  const addresses = [A];
  const first = rowOf('7');
  const second = rowOf(toOwnSid('7', 'm2'));
  expect(chooseHolder([first, second], receiptOf('7', { addresses }))).toBe(first);
  const delivered = { ...first, status: 'delivered' as const };
  expect(chooseHolder([delivered, second], receiptOf('7', { addresses }))).toBe(second);
  const both = [delivered, { ...second, status: 'delivered' as const }];
  expect(chooseHolder(both, receiptOf('7', { addresses }))).toBe(both[1]);
});

test('a final message does not take the receipt of another address, which may arrive before its response', () => {
  const delivered = rowOf('7', A, 'delivered');
  expect(chooseHolder([delivered], receiptOf('7', { addresses: [B] }))).toBeNull();
  expect(chooseHolder([delivered], receiptOf('7', { addresses: ['', '12345'] }))).toBe(delivered);
  expect(chooseHolder([rowOf('7', A)], receiptOf('7', { addresses: [B] }))).not.toBeNull();
});
