import { expect, test } from 'vitest';
import {
  formatAddress,
  formatNetwork,
  isInNetworks,
  parseAddress,
  parseNetwork,
  readNetworks,
  startOfNetwork,
} from './ip-network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::9'],
  ['::', '::'],
  ['::1', '::1'],
  ['fe80::1', 'fe80::1'],
  ['2001:db8:0:10:0:0:0:1', '2001:db8:0:10::1'],
  ['2001:db8:10:0:0:1:0:0', '2001:db8:10::1:0:0'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['2001:db8:0:0:1::', '2001:db8:0:0:1::'],
])('the address %j is written as %j', (text, written) => {
  expect(formatAddress(parseAddress(text) ?? 0n)).toBe(written);
});

test.each([
  '',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.07',
  '0x7f.1',
  '2130706433',
  '1.2.3.4.5',
  '1.2.3.4.',
  ':::',
  '1::2::3',
  '12345::',
  'fe80::1%eth0',
  '[::1]',
  'localhost',
  'a:b',
])('%j is not an address', (text) => {
  expect(parseAddress(text)).toBeNull();
});

test.each([
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['203.0.113.7', '203.0.113.7/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['2001:db8::1', '2001:db8::1/128'],
  ['::/0', '::/0'],
  ['10.1.2.3/8', '10.0.0.0/8'],
])('the network %j is written as %j', (text, written) => {
  const network = parseNetwork(text);
  expect(network === null ? null : formatNetwork(network)).toBe(written);
});

test.each(['10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', '/8', 'x/8'])(
  '%j is not a network',
  (text) => {
    expect(parseNetwork(text)).toBeNull();
  },
);

test.each([
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.0/24', '::ffff:203.0.113.1', true],
  ['::ffff:203.0.113.0/120', '203.0.113.9', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['203.0.113.7/32', '203.0.113.8', false],
  ['0.0.0.0/0', '198.51.100.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['::/0', '2001:db8::1', true],
  ['::/0', '203.0.113.7', false],
])('whether the network %s has the address %s: %s', (network, address, isIn) => {
  expect(isInNetworks(address, readNetworks(network))).toBe(isIn);
});

test('a network starts with the address whose bits after the prefix are zero', () => {
  expect(startOfNetwork({ address: parseAddress('10.1.2.3') ?? 0n, prefix: 104 }).address).toBe(
    parseAddress('10.0.0.0'),
  );
});

test('a text that is not an address is in no network', () => {
  expect(isInNetworks('localhost', readNetworks('0.0.0.0/0', '::/0'))).toBe(false);
});
