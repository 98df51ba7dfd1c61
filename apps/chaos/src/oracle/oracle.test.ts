import type { LedgerLine } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import type { PlannedMessage } from '../senders/plan-messages.ts';
import type { SendAttempt } from '../senders/send-messages.ts';
import { checkAnswers } from './check-answers.ts';
import { checkLedger } from './check-ledger.ts';
import { checkStatuses } from './check-statuses.ts';
import { checkWitness, checkWitnessOfFailovers } from './check-witness.ts';
import type { StoredMessage } from './read-database.ts';

const ROW: StoredMessage = {
  id: 'one',
  workspaceId: 'W',
  to: '+1',
  body: 'Hello',
  media: [],
  status: 'delivered',
  dispatch: 'accepted',
  providerSid: 'SM1',
  vendorAccountId: 'A',
  resends: 0,
  foundByLookup: false,
  errorCode: null,
  createdAt: new Date(0),
};
const LINE: LedgerLine = {
  sid: 'SM1',
  account_sid: 'A',
  to: '+1',
  body: 'Hello',
  sent_body: 'Hello',
  media_urls: [],
  accepted_at: '',
};
const PLANNED: PlannedMessage = {
  key: 'k',
  workspace: 0,
  to: '+1',
  body: 'Hello',
  mediaUrls: [],
  atMs: 0,
  repeats: 0,
  waitSeconds: 0,
  givesUp: false,
};
const KEY = { workspaceId: 'W', key: 'k', messageId: 'one' };

function judge(rows: StoredMessage[], ledger: LedgerLine[], failsByChoice = false): string[] {
  const found = checkLedger(
    rows,
    ledger,
    () => 'A',
    () => failsByChoice,
  );
  return found.violations.map(({ check }) => check);
}

describe('the ledger', () => {
  test('one line for each row is not a violation, even with equal texts', () => {
    expect(judge([ROW], [LINE])).toEqual([]);
    expect(
      judge([ROW, { ...ROW, id: 'two', providerSid: 'SM2' }], [LINE, { ...LINE, sid: 'SM2' }]),
    ).toEqual([]);
  });

  test('a row without a line is reported as lost', () => {
    expect(judge([ROW], [])).toEqual(['lost']);
    expect(judge([{ ...ROW, providerSid: null, dispatch: 'ready' }], [])).toEqual(['lost']);
  });

  test('a second line with the text of a row is a duplicate, and a line with an unknown text is untracked', () => {
    expect(judge([ROW], [LINE, { ...LINE, sid: 'SM2' }])).toEqual(['duplicated']);
    expect(judge([ROW], [LINE, { ...LINE, sid: 'SM2', body: 'Other' }])).toEqual(['untracked']);
    expect(judge([ROW], [LINE, { ...LINE, sid: 'SM2', account_sid: 'B' }])).toEqual(['untracked']);
  });

  test('a rejected row must have no line', () => {
    const rejected = { ...ROW, providerSid: null, dispatch: 'rejected', status: 'failed' };
    expect(judge([rejected], [])).toEqual([]);
    expect(judge([rejected], [LINE])).toEqual(['duplicated']);
  });

  test('an unknown row may have one line if its workspace does not resend, and otherwise must have been resent', () => {
    const failed = { ...ROW, providerSid: null, dispatch: 'unresolved', status: 'failed' };
    expect(judge([failed], [], true)).toEqual([]);
    expect(judge([failed], [LINE], true)).toEqual([]);
    expect(judge([failed], [LINE, { ...LINE, sid: 'SM2' }], true)).toEqual(['duplicated']);
    expect(judge([failed], [])).toEqual(['lost']);
    expect(judge([{ ...failed, resends: 1 }], [])).toEqual([]);
    expect(judge([{ ...failed, resends: 1 }], [LINE])).toEqual(['duplicated']);
  });

  test('a row that holds the identifier of a line with another text, recipient or media is reported as mistaken', () => {
    for (const other of [
      { body: 'Other' },
      { to: '+2' },
      { media_urls: ['https://m.example/a'] },
    ]) {
      expect(judge([ROW], [{ ...LINE, ...other }])).toEqual(['mistaken']);
    }
    const media = [{ url: 'https://m.example/a' }];
    expect(judge([{ ...ROW, media }], [{ ...LINE, media_urls: ['https://m.example/a'] }])).toEqual(
      [],
    );
  });

  test('a row that failed without its resend is reported as lost, unless the carrier’s list had a possible match', () => {
    const failed = { ...ROW, providerSid: null, dispatch: 'unresolved', status: 'failed' };
    const changed = { ...LINE, sent_body: 'Trial - Hello' };
    expect(judge([failed], [changed])).toEqual([]);
    expect(judge([failed], [changed, { ...changed, sid: 'SM2' }])).toEqual(['duplicated']);
    expect(judge([failed], [{ ...changed, to: '+2' }])).toEqual(['lost', 'untracked']);
    expect(judge([{ ...failed, resends: 1 }], [changed])).toEqual([]);
  });
});

describe('the responses', () => {
  function answer(status: number | null, id = 'one'): SendAttempt {
    return { status, text: JSON.stringify({ id }), api: 0, atMs: 0, durationMs: 1 };
  }
  function judgeAnswers(
    attempts: SendAttempt[],
    state: { rows?: StoredMessage[]; keys?: (typeof KEY)[]; givesUp?: boolean } = {},
  ): string[] {
    const { rows = [ROW], keys = [KEY], givesUp = false } = state;
    const records = [{ planned: { ...PLANNED, givesUp }, attempts }];
    return checkAnswers(records, ['W'], rows, keys).map(({ check }) => check);
  }

  test('retries with one response and one row are not a violation', () => {
    expect(judgeAnswers([answer(null), answer(503), answer(201), answer(201)])).toEqual([]);
  });

  test('an accepted request without a row is reported as lost', () => {
    expect(judgeAnswers([answer(201)], { rows: [], keys: [] })).toEqual(['lost']);
  });

  test('two responses or two rows under one key are reported', () => {
    const both = [ROW, { ...ROW, id: 'two' }];
    expect(judgeAnswers([answer(201), answer(201, 'two')], { rows: both })).toEqual([
      'idempotency',
      'idempotency',
    ]);
    expect(judgeAnswers([answer(201)], { rows: both })).toEqual(['idempotency']);
  });

  test('a refusal, a missing response and a row behind a 503 are reported', () => {
    expect(judgeAnswers([answer(401), answer(201)])).toEqual(['answer']);
    expect(judgeAnswers([answer(503)], { rows: [], keys: [] })).toEqual(['answer']);
    expect(judgeAnswers([answer(503)], { givesUp: true })).toEqual(['answer']);
    expect(judgeAnswers([answer(500)], { givesUp: true })).toEqual([]);
  });
});

test('a status that differs from the carrier’s is reported', () => {
  expect(checkStatuses([ROW], new Map([['SM1', 'delivered']]))).toEqual([]);
  expect(checkStatuses([ROW], new Map([['SM1', 'undelivered']]))).toHaveLength(1);
});

describe('the witness', () => {
  const stored = ['queued', 'sent', 'delivered'].map((status, index) => ({
    id: `event ${index}`,
    workspaceId: 'W',
    type: index === 0 ? 'created' : 'status_changed',
    messageId: 'one',
    status,
    providerSid: null,
    at: new Date(10_000 * index),
  }));
  const seen = stored.map(({ type, at: _at, ...event }) => ({
    ...event,
    type: type === 'created' ? 'message.created' : 'message.updated',
  }));
  const judgeSeen = (all: typeof seen, resyncs: { after: number; atMs: number }[] = []) =>
    checkWitness({ seen: all, resyncs }, stored);

  test('receiving every event once and in order is not a violation', () => {
    expect(judgeSeen(seen)).toEqual([]);
  });

  test('a gap, a repeated event, another order and an unexpected resync are violations', () => {
    expect(judgeSeen(seen.slice(0, 2))).toHaveLength(1);
    expect(judgeSeen([...seen, ...seen.slice(2)])).toHaveLength(1);
    expect(judgeSeen(seen.toReversed())).toHaveLength(1);
    expect(judgeSeen(seen, [{ after: 3, atMs: 90_000 }])).toHaveLength(1);
  });

  test('at a failover, the events before and after the resync must have no gap and include the last event', () => {
    const judgeFailover = (all: typeof seen, after: number, failovers = 1) =>
      checkWitnessOfFailovers({ seen: all, resyncs: [{ after, atMs: 40_000 }] }, stored, failovers)
        .length;
    const [first, , last] = seen as [(typeof seen)[0], (typeof seen)[0], (typeof seen)[0]];

    expect(judgeFailover(seen, 1)).toBe(0);
    // The resync moved the client past the second event, or past the last one.
    expect(judgeFailover([first, last], 1)).toBe(0);
    expect(judgeFailover([first], 1)).toBe(0);
    // A gap before the resync, an end that was not reached, a repeat, a resync without a failover.
    expect(judgeFailover([first, last], 2)).toBe(1);
    expect(judgeFailover(seen.slice(0, 2), 1)).toBe(1);
    expect(judgeFailover([first, first, last], 1)).toBe(1);
    expect(judgeFailover(seen, 1, 0)).toBe(1);
  });

  test('at a restore, a client must receive one resync, all events before it and all new events after it', () => {
    const before = { events: stored, stoppedMs: 15_000 };
    const now = stored
      .slice(0, 2)
      .map((event, index) =>
        index === 0 ? event : { ...event, status: 'failed', at: new Date(50_000) },
      );
    const failed = seen.slice(1, 2).map((event) => ({ ...event, status: 'failed' }));
    const judgeRestore = (all: typeof seen, resyncs: { after: number; atMs: number }[]) =>
      checkWitness({ seen: all, resyncs }, now, before).length;

    expect(judgeRestore([...seen, ...failed], [{ after: 3, atMs: 40_000 }])).toBe(0);
    // The last event before the restore happened after the API was stopped.
    expect(judgeRestore([...seen.slice(0, 2), ...failed], [{ after: 2, atMs: 40_000 }])).toBe(0);
    expect(judgeRestore([...seen.slice(0, 1), ...failed], [{ after: 1, atMs: 40_000 }])).toBe(1);
    expect(judgeRestore(seen, [{ after: 3, atMs: 40_000 }])).toBe(1);
    expect(judgeRestore([...seen, ...failed], [])).toBe(1);
  });
});

test('a message with an unknown outcome at a provider without a lookup may have been sent, but only once', () => {
  const unknown = { ...ROW, dispatch: 'unknown', providerSid: null };
  const check = (lines: LedgerLine[], hasLookup: boolean) =>
    checkLedger(
      [unknown],
      lines,
      () => 'A',
      () => false,
      () => hasLookup,
    ).violations.map((violation) => violation.check);
  expect(check([], false)).toEqual([]);
  expect(check([LINE], false)).toEqual([]);
  expect(check([LINE, { ...LINE, sid: 'SM2' }], false)).toEqual(['duplicated']);
  expect(check([], true)).toEqual(['lost']);
});
