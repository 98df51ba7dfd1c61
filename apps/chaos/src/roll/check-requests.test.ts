import { expect, test } from 'vitest';
import { checkRequests } from './check-requests.ts';

const ACCEPTED = new Map([['one', 0]]);
const ROW = { id: 'one', body: 'Hello' };
const FAILURE = { what: 'message 7', atMs: 1_500, how: '503 away' };

function judge(accepted: Map<string, number>, rows: { id: string; body: string }[]): string[] {
  return checkRequests({ accepted, failures: [] }, rows).map(({ check }) => check);
}

test('a row for each message accepted, and no other, is as it should be', () => {
  expect(judge(ACCEPTED, [ROW])).toEqual([]);
});

test('an accepted message without a row is lost', () => {
  expect(judge(ACCEPTED, [])).toEqual(['lost']);
});

test('a row of which no client was told is told: somebody has repeated a request, or kept an answer', () => {
  expect(judge(ACCEPTED, [ROW, { ...ROW, id: 'two' }])).toEqual(['answer']);
});

test('a request that failed is told, with when and how', () => {
  expect(checkRequests({ accepted: ACCEPTED, failures: [FAILURE] }, [ROW])).toEqual([
    { check: 'answer', detail: 'message 7 failed 1.5 s after the first: 503 away', messageIds: [] },
  ]);
});
