import { expect, test } from 'vitest';
import { percentile } from './percentile.ts';

test('percentile returns the value below which the given share of the values lies, in whatever order they are', () => {
  const values = Array.from({ length: 100 }, (_, n) => 99 - n);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([0, 50, 99, 99]);
  expect(values[0]).toBe(99);
});

test('a percentile of no values is NaN, so that a comparison with it fails', () => {
  expect(percentile([], 0.99)).toBeNaN();
});
