import { describe, expect, test } from 'vitest';
import type { LedgerLine } from '../carrier.ts';
import type { PlannedMessage } from '../senders/plan-messages.ts';
import type { SendAttempt } from '../senders/send-messages.ts';
import { checkAnswers } from './check-answers.ts';
import { checkLedger } from './check-ledger.ts';
import { checkStatuses } from './check-statuses.ts';
import { checkWitness } from './check-witness.ts';
import type { StoredMessage } from './read-database.ts';

const ROW: StoredMessage = {
  id: 'one',
  workspaceId: 'W',
  to: '+1',
  body: 'Hello',
  status: 'delivered',
  dispatch: 'accepted',
  providerSid: 'SM1',
  resends: 0,
  foundByLookUp: false,
};
const LINE: LedgerLine = { sid: 'SM1', account_sid: 'A', to: '+1', body: 'Hello', accepted_at: '' };
const PLANNED: PlannedMessage = {
  key: 'k',
  workspace: 0,
  to: '+1',
  body: 'Hello',
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
  test('one line for one row is as it should be, two equal texts included', () => {
    expect(judge([ROW], [LINE])).toEqual([]);
    expect(
      judge([ROW, { ...ROW, id: 'two', providerSid: 'SM2' }], [LINE, { ...LINE, sid: 'SM2' }]),
    ).toEqual([]);
  });

  test('a row without its line is lost', () => {
    expect(judge([ROW], [])).toEqual(['lost']);
    expect(judge([{ ...ROW, providerSid: null, dispatch: 'ready' }], [])).toEqual(['lost']);
  });

  test('a second line of a row’s text is a duplicate, a line of no text an orphan', () => {
    expect(judge([ROW], [LINE, { ...LINE, sid: 'SM2' }])).toEqual(['duplicated']);
    expect(judge([ROW], [LINE, { ...LINE, sid: 'SM2', body: 'Other' }])).toEqual(['orphan']);
    expect(judge([ROW], [LINE, { ...LINE, sid: 'SM2', account_sid: 'B' }])).toEqual(['orphan']);
  });

  test('a rejected row owes no line, and may have none', () => {
    const rejected = { ...ROW, providerSid: null, dispatch: 'rejected', status: 'failed' };
    expect(judge([rejected], [])).toEqual([]);
    expect(judge([rejected], [LINE])).toEqual(['duplicated']);
  });

  test('a row failed by choice may have one line; elsewhere it must have been resent, and has none', () => {
    const failed = { ...ROW, providerSid: null, dispatch: 'unresolved', status: 'failed' };
    expect(judge([failed], [], true)).toEqual([]);
    expect(judge([failed], [LINE], true)).toEqual([]);
    expect(judge([failed], [LINE, { ...LINE, sid: 'SM2' }], true)).toEqual(['duplicated']);
    expect(judge([failed], [])).toEqual(['lost']);
    expect(judge([{ ...failed, resends: 1 }], [])).toEqual([]);
    expect(judge([{ ...failed, resends: 1 }], [LINE])).toEqual(['duplicated']);
  });
});

describe('the answers', () => {
  function answer(status: number | null, id = 'one'): SendAttempt {
    return { status, text: JSON.stringify({ id }), atMs: 0, durationMs: 1 };
  }
  function judgeAnswers(
    attempts: SendAttempt[],
    state: { rows?: StoredMessage[]; keys?: (typeof KEY)[]; givesUp?: boolean } = {},
  ): string[] {
    const { rows = [ROW], keys = [KEY], givesUp = false } = state;
    const records = [{ planned: { ...PLANNED, givesUp }, attempts }];
    return checkAnswers(records, ['W'], rows, keys).map(({ check }) => check);
  }

  test('retries with one answer and one row are as they should be', () => {
    expect(judgeAnswers([answer(null), answer(503), answer(201), answer(201)])).toEqual([]);
  });

  test('an accepted request without a row is lost', () => {
    expect(judgeAnswers([answer(201)], { rows: [], keys: [] })).toEqual(['lost']);
  });

  test('two answers, or two rows, under one key are told', () => {
    const both = [ROW, { ...ROW, id: 'two' }];
    expect(judgeAnswers([answer(201), answer(201, 'two')], { rows: both })).toEqual([
      'idempotency',
      'idempotency',
    ]);
    expect(judgeAnswers([answer(201)], { rows: both })).toEqual(['idempotency']);
  });

  test('a refusal, a silence for ever and a row behind a 503 are told', () => {
    expect(judgeAnswers([answer(401), answer(201)])).toEqual(['answer']);
    expect(judgeAnswers([answer(503)], { rows: [], keys: [] })).toEqual(['answer']);
    expect(judgeAnswers([answer(503)], { givesUp: true })).toEqual(['answer']);
    expect(judgeAnswers([answer(500)], { givesUp: true })).toEqual([]);
  });
});

test('a status other than the carrier’s is told', () => {
  expect(checkStatuses([ROW], new Map([['SM1', 'delivered']]))).toEqual([]);
  expect(checkStatuses([ROW], new Map([['SM1', 'undelivered']]))).toHaveLength(1);
});

describe('the witness', () => {
  const stored = ['queued', 'sent', 'delivered'].map((status, index) => ({
    workspaceId: 'W',
    type: index === 0 ? 'created' : 'status_changed',
    messageId: 'one',
    status,
    providerSid: null,
  }));
  const seen = stored.map(({ type, ...event }) => ({
    ...event,
    type: type === 'created' ? 'message.created' : 'message.updated',
  }));

  test('every event once and in order is as it should be', () => {
    expect(checkWitness(seen, stored, 0)).toEqual([]);
  });

  test('a gap, a repeat, another order and a resync are told', () => {
    expect(checkWitness(seen.slice(0, 2), stored, 0)).toHaveLength(1);
    expect(checkWitness([...seen, ...seen.slice(2)], stored, 0)).toHaveLength(1);
    expect(checkWitness(seen.toReversed(), stored, 0)).toHaveLength(1);
    expect(checkWitness(seen, stored, 1)).toHaveLength(1);
  });
});
