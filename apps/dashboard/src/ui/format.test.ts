import { expect, test } from 'vitest';
import { formatClock, formatDay, formatTime } from './format.ts';

const now = new Date(2026, 10, 23, 16, 50);
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

test('a time of today is shown without the day, and its day as “Today”', () => {
  const today = at(2026, 10, 23, 9, 5);
  expect(formatTime(today, now)).toBe(formatClock(today));
  expect(formatDay(today, now)).toBe('Today');
});

test('a time of an earlier day is shown with its day, and a time of another year with its year', () => {
  expect(formatTime(at(2026, 10, 22, 9, 5), now)).toMatch(/22/);
  expect(formatDay(at(2026, 10, 22, 9, 5), now)).toMatch(/2026/);
  expect(formatTime(at(2025, 10, 23, 9, 5), now)).toMatch(/2025/);
});
