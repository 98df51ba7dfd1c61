import { expect, test } from 'vitest';
import { createChartScale } from './chart-scale.ts';

test('both sides of the chart share one scale with round ticks that cover every bar', () => {
  expect(createChartScale(250, 40)).toEqual({
    above: 300,
    below: 100,
    ticks: [300, 200, 100, 0, -100],
  });
  expect(createChartScale(2, 3).ticks).toEqual([2, 1, 0, -1, -2, -3]);
});

test('a chart without messages has only the zero line', () => {
  expect(createChartScale(0, 0)).toEqual({ above: 0, below: 0, ticks: [0] });
});
