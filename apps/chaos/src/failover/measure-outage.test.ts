import { expect, test } from 'vitest';
import { measureOutage } from './measure-outage.ts';

const ACCEPTED = { status: 201, text: '', api: 0, durationMs: 10 };
const at = (atMs: number, change: object = {}) => ({
  attempts: [{ ...ACCEPTED, atMs, ...change }],
});

test('an outage is the longest time between two accepted sends', () => {
  const records = [1_000, 1_010, 5_000, 5_010].map((atMs) => at(atMs));
  expect(measureOutage({ fromMs: 1_000, toMs: 6_000 }, records)).toEqual({
    withoutAcceptedMs: 3_990,
    refusedForMs: 0,
    refused: 0,
    inDoubt: 0,
    unanswered: 0,
  });
});

test('refused, uncertain and unanswered requests between two accepted sends are counted separately', () => {
  const records = [
    at(1_000),
    at(1_500, { status: 503 }),
    at(1_600, { status: 500 }),
    at(1_700, { status: null }),
    at(4_490),
  ];
  expect(measureOutage({ fromMs: 1_200, toMs: 5_000 }, records)).toEqual({
    withoutAcceptedMs: 3_490,
    refusedForMs: 3_000,
    refused: 1,
    inDoubt: 1,
    unanswered: 1,
  });
});
