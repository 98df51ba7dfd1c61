import { expect, test } from 'vitest';
import { createFairOrder } from './fair-order.ts';

const many = (count: number, create: () => number) => Array.from({ length: count }, create);

test('a single hint overtakes the backlog of another workspace, except for the next hint of that backlog', () => {
  const order = createFairOrder();
  const backlog = many(100_000, () => order.nextPriority('busy'));
  order.observe({ next: 40_000, waiting: 60_001 });
  const single = order.nextPriority('quiet');
  expect(backlog.filter((priority) => priority >= 40_000 && priority <= single)).toHaveLength(1);
});

test('two backlogs take turns, and each keeps its order', () => {
  const order = createFairOrder();
  const first = many(100, () => order.nextPriority('first'));
  const second = many(100, () => order.nextPriority('second'));
  expect(second).toEqual(first);
  expect(first).toEqual(first.toSorted((a, b) => a - b));
  expect(new Set(first).size).toBe(100);
});

test('hints of a workspace that no longer wait do not affect its position', () => {
  const order = createFairOrder();
  many(50_000, () => order.nextPriority('steady'));
  order.observe({ next: null, waiting: 0 });
  expect(order.nextPriority('steady')).toBe(order.nextPriority('new'));

  many(50_000, () => order.nextPriority('steady'));
  order.observe({ next: 7, waiting: 10 });
  expect(order.nextPriority('steady')).toBeLessThanOrEqual(7 + 10 + 1);
});

test('every priority is valid in BullMQ, even when the numbers wrap around', () => {
  const order = createFairOrder();
  order.observe({ next: 2 ** 21 - 10, waiting: 100_000 });
  const given = many(100, () => order.nextPriority('busy'));
  expect(Math.min(...given)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...given)).toBeLessThan(2 ** 21);
});
