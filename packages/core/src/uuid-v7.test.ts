import { expect, test } from 'vitest';
import { createShardedUuid, createUuidV7, isUuid, timeOfUuidV7 } from './uuid-v7.ts';

const NOW = 1_790_000_000_000;

test('the time in an id is the given time, even after the clock was set back', () => {
  const times = [NOW, NOW, NOW + 5, NOW + 3_600_000, NOW + 6, NOW + 5, NOW + 7];
  const ids = times.map((ms) => createUuidV7(ms));
  expect(ids.map((id) => timeOfUuidV7(id))).toEqual(times);
  expect(ids.every((id) => isUuid(id))).toBe(true);
});

test('ids of one millisecond are in the order of their creation, and no id repeats', () => {
  const ids = Array.from({ length: 4_096 }, () => createUuidV7(NOW));
  expect(ids.toSorted()).toEqual(ids);
  const more = Array.from({ length: 10_000 }, () => createUuidV7(NOW));
  expect(new Set([...ids, ...more]).size).toBe(14_096);
  expect(more.every((id) => timeOfUuidV7(id) === NOW)).toBe(true);
});

test('a sharded id has its shard in place of the counter, and no id of one millisecond repeats', () => {
  const ids = Array.from({ length: 1_000 }, () => createShardedUuid(NOW, 0xabc));
  expect(ids.every((id) => id.slice(14, 18) === '7abc')).toBe(true);
  expect(ids.every((id) => isUuid(id) && timeOfUuidV7(id) === NOW)).toBe(true);
  expect(new Set(ids).size).toBe(1_000);
  expect(createShardedUuid(NOW).slice(14, 18)).toBe('7000');
});
