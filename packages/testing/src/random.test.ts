import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

function draw(seed: number, purpose: string): number[] {
  const random = createRandom(seed, purpose);
  return Array.from({ length: 50 }, () => random.between(1, 1_000_000));
}

test('equal seeds and purposes give equal numbers, and different ones give different numbers', () => {
  expect(draw(7, 'faults')).toEqual(draw(7, 'faults'));
  expect(draw(8, 'faults')).not.toEqual(draw(7, 'faults'));
  expect(draw(7, 'messages')).not.toEqual(draw(7, 'faults'));
});

test('random.between returns numbers within its bounds, both bounds included', () => {
  const random = createRandom(1, 'bounds');
  const seen = new Set(Array.from({ length: 200 }, () => random.between(3, 6)));
  expect(seen).toEqual(new Set([3, 4, 5, 6]));
});
