import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

function draw(seed: number, purpose: string): number[] {
  const random = createRandom(seed, purpose);
  return Array.from({ length: 50 }, () => random.between(1, 1_000_000));
}

test('the same seed and purpose give the same numbers, another of either gives others', () => {
  expect(draw(7, 'faults')).toEqual(draw(7, 'faults'));
  expect(draw(8, 'faults')).not.toEqual(draw(7, 'faults'));
  expect(draw(7, 'messages')).not.toEqual(draw(7, 'faults'));
});

test('numbers keep within their bounds and reach both ends', () => {
  const random = createRandom(1, 'bounds');
  const seen = new Set(Array.from({ length: 200 }, () => random.between(3, 6)));
  expect(seen).toEqual(new Set([3, 4, 5, 6]));
});
