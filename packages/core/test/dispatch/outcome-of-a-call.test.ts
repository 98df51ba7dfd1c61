import { describe, expect, test } from 'vitest';
import { decideCancel } from '../../src/dispatch/decide-cancel.ts';
import { decideOutcome, decideUnknown } from '../../src/dispatch/decide-outcome.ts';
import { backoffMs } from '../../src/dispatch/dispatch-policy.ts';
import type { CallOutcome } from '../../src/ports/send-outcome.ts';
import { policy, row, OUTCOMES } from './samples.ts';

describe('the outcome of a provider call', () => {
  test.each([
    ['accepted', 'accepted', 60],
    ['unknown', 'unknown', 120],
    ['rejected', 'rejected', null],
    ['withheld', 'rejected', null],
    ['unreachable', 'ready', 1_000],
    ['lease_expired', 'ready', 0],
    ['throttled', 'ready', 5_000],
    ['credentials', 'ready', 60_000],
  ] as const)(
    'the outcome %s leaves the row %s, with the next check in %s ms',
    (name, dispatch, dueInMs) => {
      const { change } = decideOutcome(row(), 1, OUTCOMES[name], policy);
      expect(change).toMatchObject({ expectedVersion: 7, next: { dispatch }, dueInMs });
    },
  );

  test('only a rejection by the provider is called one in the timeline', () => {
    const eventOf = (outcome: CallOutcome, triedForMs = 1_000) =>
      decideOutcome(row({ triedForMs }), 1, outcome, policy).change?.event;
    const rejected = { type: 'provider_rejected', detail: 'bad' };
    expect(eventOf(OUTCOMES.rejected)).toMatchObject(rejected);
    const ours = ['recipient_opted_out', 'no_sender', 'media_not_supported'] as const;
    for (const code of ours) {
      const outcome: CallOutcome = { kind: 'withheld', code, detail: 'not called' };
      const failed = { type: 'status_changed', detail: 'not called', visible: true };
      expect(eventOf(outcome)).toMatchObject(failed);
    }
    for (const name of ['unreachable', 'credentials'] as const) {
      expect(eventOf(OUTCOMES[name], policy.giveUpAfterMs)).toMatchObject({
        type: 'status_changed',
        detail: 'no',
      });
    }
  });

  test('a message that one account cannot send goes to another without a call', () => {
    const outcome = {
      kind: 'withheld',
      code: 'no_sender',
      detail: '',
      isAccountOnly: true,
    } as const;
    const { change } = decideOutcome(row(), 1, outcome, policy, ['AC2']);
    expect(change?.next).toMatchObject({ dispatch: 'ready', failedAccounts: ['AC1'] });
    expect(decideOutcome(row(), 1, OUTCOMES.withheld, policy, ['AC2']).change?.next).toMatchObject({
      dispatch: 'rejected',
      errorCode: 'recipient_opted_out',
    });
  });

  test.each(['rejected', 'unreachable'] as const)(
    'the outcome %s proves that nothing was sent, even after the lease has expired',
    (name) => {
      const late = row({ dispatch: 'unknown', lookups: 2 });
      const { change } = decideOutcome(late, 1, OUTCOMES[name], policy);
      expect(change?.next.dispatch).toBe(name === 'rejected' ? 'rejected' : 'ready');
    },
  );

  test.each([
    'unknown',
    'rejected',
    'withheld',
    'unreachable',
    'lease_expired',
    'throttled',
    'credentials',
  ] as const)(
    'the outcome %s of an older attempt, or of a message with an identifier, changes nothing',
    (name) => {
      const outcome = OUTCOMES[name];
      expect(decideOutcome(row({ attempt: 2 }), 1, outcome, policy).change).toBeNull();
      const known = row({ dispatch: 'accepted', providerSid: 'SM9' });
      expect(decideOutcome(known, 1, outcome, policy).change).toBeNull();
    },
  );

  test.each(['ready', 'rejected', 'unknown', 'unresolved', 'canceled', 'inflight'] as const)(
    'the outcome accepted is recorded in every state, even in %s, for any attempt',
    (dispatch) => {
      const before = row({ dispatch, attempt: 3, status: 'failed', errorCode: 'outcome_unknown' });
      const { change } = decideOutcome(before, 1, OUTCOMES.accepted, policy);
      expect(change?.next).toMatchObject({
        dispatch: 'accepted',
        providerSid: 'SM1',
        status: 'queued',
        errorCode: null,
        sidAdopted: false,
      });
    },
  );

  test.each(['unreachable', 'lease_expired', 'throttled'] as const)(
    'the outcome %s of the first attempt does not fail the message, however old the message is',
    (name) => {
      const { change } = decideOutcome(row({ triedForMs: 0 }), 1, OUTCOMES[name], policy);
      expect(change?.next.dispatch).toBe('ready');
    },
  );

  test('the wait after several accounts have failed is as long as after one attempt', () => {
    const wait = (fields: object) =>
      decideOutcome(row(fields), 3, OUTCOMES.unreachable, policy).change?.dueInMs;
    expect(wait({ attempt: 3 })).toBe(4_000);
    expect(wait({ attempt: 3, failedAccounts: ['AC2', 'AC3'] })).toBe(1_000);
  });

  test('a message fails if it could not be sent within a day of its first attempt', () => {
    const old = row({ triedForMs: 86_400_000 });
    const { change } = decideOutcome(old, 1, OUTCOMES.unreachable, policy);
    expect(change?.next).toMatchObject({
      dispatch: 'rejected',
      status: 'failed',
      errorCode: 'provider_unreachable',
    });
  });
});

test('an expired lease changes nothing about a later attempt or a row that is not in flight', () => {
  expect(decideUnknown(row(), 1, 'over', policy).change?.next.dispatch).toBe('unknown');
  expect(decideUnknown(row({ attempt: 2 }), 1, 'over', policy).change).toBeNull();
  expect(decideUnknown(row({ dispatch: 'ready' }), 1, 'over', policy).change).toBeNull();
  const accepted = row({ dispatch: 'accepted', providerSid: 'SM1' });
  expect(decideUnknown(accepted, 1, 'over', policy).change).toBeNull();
});

test.each([
  ['ready', 0, true],
  ['ready', 1, false],
  ['inflight', 0, false],
  ['unknown', 0, false],
  ['accepted', 0, false],
] as const)(
  'a message that is %s after %i resends can be canceled: %s',
  (dispatch, resends, can) => {
    expect(decideCancel(row({ dispatch, resends })).change !== null).toBe(can);
  },
);

test('a backoff doubles up to its cap, and jitter reduces it by at most half', () => {
  const times = [1, 2, 3, 9, 10, 500].map((attempt) => backoffMs(policy, attempt, 1_000));
  expect(times).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  expect(backoffMs({ ...policy, random: () => 0 }, 1, 1_000)).toBe(500);
});
