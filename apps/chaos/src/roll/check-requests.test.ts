import { expect, test } from 'vitest';
import { checkRequests } from './check-requests.ts';

const ACCEPTED = new Map([['one', 0]]);
const ROW = { id: 'one', body: 'Hello' };
const FAILURE = { what: 'message 7', atMs: 1_500, how: '503 unavailable' };

function judge(accepted: Map<string, number>, rows: { id: string; body: string }[]): string[] {
  return checkRequests({ accepted, failures: [] }, rows).map(({ check }) => check);
}

test('exactly one row for each accepted message is not a violation', () => {
  expect(judge(ACCEPTED, [ROW])).toEqual([]);
});

test('an accepted message without a row is reported as lost', () => {
  expect(judge(ACCEPTED, [])).toEqual(['lost']);
});

test('a row that no client received a response for is a violation', () => {
  expect(judge(ACCEPTED, [ROW, { ...ROW, id: 'two' }])).toEqual(['answer']);
});

test('a failed request is a violation with its time and its error', () => {
  expect(checkRequests({ accepted: ACCEPTED, failures: [FAILURE] }, [ROW])).toEqual([
    {
      check: 'answer',
      detail: 'message 7 failed 1.5 s after the first: 503 unavailable',
      messageIds: [],
    },
  ]);
});
