import { readNetworks } from '@switchboard/core';
import { expect, test } from 'vitest';
import { createAddressRule, isPublicAddress } from './public-address.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
])('%s is a public internet address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['this network', '0.0.0.0'],
  ['private', '10.1.2.3'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.169.254'],
  ['benchmarking', '198.19.255.255'],
  ['documentation', '203.0.113.9'],
  ['multicast', '224.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['mapped', '::ffff:127.0.0.1'],
  ['mapped', '::ffff:8.8.8.8'],
  ['mapped', '::ffff:a9fe:a9fe'],
  ['compatible', '::127.0.0.1'],
  ['translated', '64:ff9b::7f00:1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001:0:7f00:1::'],
  ['documentation', '2001:db8::1'],
  ['unique local', 'fd12:3456::1'],
  ['link-local', 'fe80::1'],
  ['multicast', 'ff02::1'],
  ['malformed', 'localhost'],
  ['malformed', '127.1'],
])('an address of the kind “%s” is refused: %s', (_kind, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('servers of accounts may be on the internet and in the operator’s networks, and nowhere else', () => {
  const isAllowed = createAddressRule(readNetworks('192.168.7.0/24', 'fd12::/16'));
  for (const address of [
    '8.8.8.8',
    '2606:4700:4700::1111',
    '192.168.7.1',
    '::ffff:192.168.7.1',
    'fd12::1',
  ]) {
    expect(isAllowed(address), address).toBe(true);
  }
  for (const address of [
    '192.168.8.1',
    '::ffff:192.168.8.1',
    '127.0.0.1',
    'fd13::1',
    '::1',
    'localhost',
    '',
  ]) {
    expect(isAllowed(address), address).toBe(false);
  }
});

test('without networks of the operator, servers of accounts must be on the public internet', () => {
  const isAllowed = createAddressRule([]);
  expect(isAllowed('1.1.1.1')).toBe(true);
  expect(
    ['127.0.0.1', '::1', '10.0.0.1', 'fd00::1'].filter((address) => isAllowed(address)),
  ).toEqual([]);
});
