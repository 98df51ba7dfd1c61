import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { toListenHost } from './listen-host.ts';

const interfaces = (...families: string[]) => ({
  eth0: families.map((family) => ({ family }) as NetworkInterfaceInfo),
});

test('the host :: becomes 0.0.0.0 on a machine without IPv6, and other hosts stay', () => {
  expect(toListenHost('::', interfaces('IPv4'))).toBe('0.0.0.0');
  expect(toListenHost('::', interfaces('IPv4', 'IPv6'))).toBe('::');
  expect(toListenHost('127.0.0.1', interfaces('IPv4'))).toBe('127.0.0.1');
});
