import { expect, test } from 'vitest';
import { judgeDisk } from './check-disk.ts';

const GIB = 2 ** 30;

test('doctor warns about a disk only if both the free bytes and their share of the disk are low', () => {
  const judge = (free: number, total: number) =>
    judgeDisk({ freeBytes: free * GIB, totalBytes: total * GIB }).result;
  expect(judge(4.9, 100)).toBe('warning');
  expect(judge(0, 20)).toBe('warning');
  expect(judge(6, 1_000)).toBe('good');
  expect(judge(2, 10)).toBe('good');
});
