import { expect, test } from 'vitest';
import { toClientAddress, toClientNetwork } from './client-network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:49152', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['no address', 'unknown'],
  ['', 'unknown'],
])('rate limits count the address %j as %j', (ip, network) => {
  expect(toClientNetwork(ip)).toBe(network);
});

test.each([
  ['203.0.113.7:49152', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[2001:db8:1:2:0::9]:443', '2001:db8:1:2::9'],
  ['fe80::1%eth0', 'fe80::1'],
  ['no address', 'unknown'],
])('the address of a client %j is %j', (ip, address) => {
  expect(toClientAddress(ip)).toBe(address);
});
