import { expect, test } from 'vitest';
import { type Report, formatReport } from './report.ts';
import type { Figure } from './scenario.ts';

const figure = (value: number, goal: Figure['goal']): Figure => ({
  name: 'rate',
  value,
  unit: 'per second',
  goal,
});

const report = (...figures: Figure[]): Report => ({
  at: '2026-11-20T08:00:00.000Z',
  short: false,
  machine: { cpus: 2, model: 'some', node: 'v20', loadBefore: 0 },
  results: [{ scenario: 'accept', figures }],
});

test.each([
  ['at its lower limit', 'reached', 10, { atLeast: 10 }],
  ['below its lower limit', 'missed', 9.9, { atLeast: 10 }],
  ['at its upper limit', 'reached', 10, { atMost: 10 }],
  ['above its upper limit', 'missed', 10.1, { atMost: 10 }],
])('the report shows the goal of a figure %s as %s', (_where, result, value, goal) => {
  expect(formatReport(report(figure(value, goal)), null)).toContain(result);
});

test('a figure without a goal is neither reached nor missed', () => {
  expect(formatReport(report(figure(10, null)), null)).not.toMatch(/reached|missed/);
});

test('a report shows the figure of an earlier run with the same scenario and name', () => {
  const now = report(figure(300, null));
  expect(formatReport(now, report(figure(200, null)))).toMatch(/200 per second {2}× 1.50/);
  const other = { ...report(), results: [{ scenario: 'through', figures: [figure(1, null)] }] };
  expect(formatReport(now, other)).not.toMatch(/× \d/);
});
