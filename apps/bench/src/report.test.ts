import { expect, test } from 'vitest';
import { type Figure, type Report, formatReport } from './report.ts';

const rate = (name: string, value: number): Figure => ({ name, value, unit: 'per second' });

const report = (...figures: Figure[]): Report => ({
  at: '2026-11-20T08:00:00.000Z',
  short: false,
  machine: { cpus: 2, model: 'some', node: 'v20', loadBefore: 0 },
  results: [{ scenario: 'accept', figures }],
});

test.each([
  ['at its lower limit', 'reached', rate('accepted', 10_000)],
  ['below its lower limit', 'missed', rate('accepted', 9_999)],
  ['at its upper limit', 'reached', rate('generator busy', 0.8)],
  ['above its upper limit', 'missed', rate('generator busy', 0.81)],
])('the report shows a figure %s of the table of goals as %s', (_where, result, figure) => {
  expect(formatReport(report(figure), null)).toContain(result);
});

test.each([
  ['status: most', '≤ 20 ms'],
  ['direction: outbound + status: failed', '≤ 20 ms'],
  ['status: most + from: ours', '≤ 250 ms'],
  ['from: ours', '≤ 250 ms'],
])('a total is stored for statuses and directions, and counted for others: %s', (name, goal) => {
  const figure: Figure = { name: `${name}: total, p95`, value: 1, unit: 'ms' };
  const history = { ...report(), results: [{ scenario: 'history', figures: [figure] }] };
  expect(formatReport(history, null)).toContain(goal);
});

test('a figure without a goal is neither reached nor missed', () => {
  expect(formatReport(report(rate('other', 10)), null)).not.toMatch(/reached|missed/);
});

test('a report shows the figure of an earlier run with the same scenario and name', () => {
  const now = report(rate('accepted', 300));
  expect(formatReport(now, report(rate('accepted', 200)))).toMatch(/200 per second {2}× 1.50/);
  const results = [{ scenario: 'through', figures: [rate('accepted', 1)] }];
  expect(formatReport(now, { ...report(), results })).not.toMatch(/× \d/);
});
