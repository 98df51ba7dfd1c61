import { describe, expect, test } from 'vitest';
import type { ProviderMessage, SendOutcome } from '../ports/provider-adapter.ts';
import { decideCancel } from './decide-cancel.ts';
import { decideLookUp } from './decide-lookup.ts';
import { decideOutcome, decideUnknown } from './decide-outcome.ts';
import { decidePoll } from './decide-poll.ts';
import { decideGivenUpIdentifier, decideTakenIdentifier } from './decide-taken-identifier.ts';
import { type DispatchPolicy, backoffMs, gapsOf } from './dispatch-policy.ts';
import type { DispatchRow } from './dispatch-row.ts';
import { decideDirectEvidence, mergeEvidence } from './evidence.ts';

const policy: DispatchPolicy = {
  unknownLookupsMs: gapsOf([120, 240, 600]),
  pollsMs: gapsOf([60, 300]),
  backoffMs: 1_000,
  backoffCapMs: 300_000,
  credentialsBackoffMs: 60_000,
  probeCapMs: 60_000,
  giveUpAfterMs: 86_400_000,
  random: () => 1,
};

function row(fields: Partial<DispatchRow> = {}): DispatchRow {
  return {
    id: 'm1',
    workspaceId: 'w1',
    version: 7,
    attempt: 1,
    onUnknown: 'resend',
    triedForMs: 1_000,
    inDoubtForMs: 1_000,
    dispatch: 'inflight',
    resends: 0,
    lookups: 0,
    status: 'queued',
    providerStatus: null,
    providerSid: null,
    providerAccount: 'AC1',
    sidAdopted: false,
    from: '+2',
    errorCode: null,
    errorDetail: null,
    errorStatus: null,
    ...fields,
  };
}

function message(fields: Partial<ProviderMessage> = {}): ProviderMessage {
  return {
    sid: 'SM1',
    account: 'AC1',
    status: 'queued',
    rawStatus: 'queued',
    to: '+1',
    from: '+2',
    body: 'text',
    segments: 1,
    mediaCount: 0,
    errorCode: null,
    errorDetail: null,
    isOptOut: false,
    direction: 'outbound',
    createdAt: new Date(1_000),
    ...fields,
  };
}

const notSent = { kind: 'not_sent', retryAfterMs: null, code: null, detail: 'no' } as const;
const OUTCOMES = {
  accepted: { kind: 'accepted', message: message() },
  unknown: { kind: 'unknown', detail: 'reset' },
  rejected: { kind: 'rejected', code: '21211', detail: 'bad', isOptOut: false },
  unreachable: { ...notSent, reason: 'unreachable' },
  lease_expired: { ...notSent, reason: 'lease_expired' },
  throttled: { ...notSent, reason: 'throttled', retryAfterMs: 5_000 },
  credentials: { ...notSent, reason: 'credentials' },
} satisfies Record<string, SendOutcome>;

describe('the outcome of a provider call', () => {
  test.each([
    ['accepted', 'accepted', 60],
    ['unknown', 'unknown', 120],
    ['rejected', 'rejected', null],
    ['unreachable', 'ready', 1_000],
    ['lease_expired', 'ready', 0],
    ['throttled', 'ready', 5_000],
    ['credentials', 'ready', 60_000],
  ] as const)('%s leaves the row %s, with the next look in %s ms', (name, dispatch, dueInMs) => {
    const { change } = decideOutcome(row(), 1, OUTCOMES[name], policy);
    expect(change).toMatchObject({ expectedVersion: 7, next: { dispatch }, dueInMs });
  });

  test.each(['rejected', 'unreachable'] as const)(
    '%s proves that nothing was sent, also after the lease has expired',
    (name) => {
      const late = row({ dispatch: 'unknown', lookups: 2 });
      const { change } = decideOutcome(late, 1, OUTCOMES[name], policy);
      expect(change?.next.dispatch).toBe(name === 'rejected' ? 'rejected' : 'ready');
    },
  );

  test.each([
    'unknown',
    'rejected',
    'unreachable',
    'lease_expired',
    'throttled',
    'credentials',
  ] as const)(
    '%s of an older attempt, or of a message with an identifier, changes nothing',
    (name) => {
      const outcome = OUTCOMES[name];
      expect(decideOutcome(row({ attempt: 2 }), 1, outcome, policy).change).toBeNull();
      const known = row({ dispatch: 'accepted', providerSid: 'SM9' });
      expect(decideOutcome(known, 1, outcome, policy).change).toBeNull();
    },
  );

  test.each(['ready', 'rejected', 'unknown', 'unresolved', 'canceled', 'inflight'] as const)(
    'accepted is recorded in every state, also in %s, for any attempt',
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
    '%s on the first attempt does not fail the message, however old the message is',
    (name) => {
      const { change } = decideOutcome(row({ triedForMs: 0 }), 1, OUTCOMES[name], policy);
      expect(change?.next.dispatch).toBe('ready');
    },
  );

  test('a message fails if it could not be sent for a day since its first attempt', () => {
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

describe('a look-up', () => {
  const unknown = (lookups: number, fields: Partial<DispatchRow> = {}) =>
    row({ dispatch: 'unknown', lookups, ...fields });
  const found = (...sids: string[]) =>
    ({
      kind: 'found',
      messages: sids.map((sid, i) => message({ sid, createdAt: new Date(9 - i) })),
    }) as const;
  const none = { undecided: 0, held: 0 };

  test.each([
    ['one candidate for one row', 0, 1, none, 'SM'],
    ['one candidate for two rows, one of them undecided', 0, 1, { undecided: 1, held: 0 }, null],
    ['two candidates for two rows', 0, 2, { undecided: 1, held: 0 }, 'SM'],
    ['one candidate, hold over, the other row undecided', 2, 1, { undecided: 1, held: 0 }, null],
    ['one candidate, hold over for both', 2, 1, { undecided: 0, held: 1 }, 'SM'],
    ['two candidates for three rows within the hold', 1, 2, { undecided: 2, held: 0 }, null],
  ])(
    'with %s a row adopts a candidate only if there is one for every row that may claim it',
    (_name, lookups, n, rivals, adopted) => {
      const candidates = found(...['SM-new', 'SM-old'].slice(0, n));
      const { change } = decideLookUp(unknown(lookups), candidates, rivals, policy);
      if (adopted === null) {
        expect(change?.next).toMatchObject({ dispatch: 'unknown', lookups: lookups + 1 });
      } else {
        // The oldest candidate.
        const providerSid = n === 2 ? 'SM-old' : 'SM-new';
        expect(change?.next).toMatchObject({ dispatch: 'accepted', sidAdopted: true, providerSid });
      }
    },
  );

  test.each([
    [0, 'unknown', 120],
    [1, 'unknown', 360],
    [2, 'ready', 0],
  ])('an empty look-up after %i others makes the row %s', (lookups, dispatch, dueInMs) => {
    const { change } = decideLookUp(unknown(lookups), found(), none, policy);
    expect(change).toMatchObject({ next: { dispatch }, dueInMs });
    expect(change?.next.resends).toBe(dispatch === 'ready' ? 1 : 0);
  });

  test.each([
    ['after a resend', { resends: 1 }],
    ['if the workspace chose to fail', { onUnknown: 'fail' as const }],
  ])('an empty look-up at the end of the hold fails the message %s', (_name, fields) => {
    const { change } = decideLookUp(unknown(2, fields), found(), none, policy);
    expect(change?.next).toMatchObject({
      dispatch: 'unresolved',
      status: 'failed',
      errorCode: 'outcome_unknown',
    });
    expect(change?.dueInMs).toBeNull();
  });

  test.each([
    ['resend', 0],
    ['fail', 0],
    ['resend', 1],
  ] as const)(
    'an empty look-up after a restore sends a message that was ready in the backup, with on_unknown %s after %i resends',
    (onUnknown, resends) => {
      const restored = unknown(2, { attempt: 0, onUnknown, resends });
      const { change } = decideLookUp(restored, found(), none, policy);
      expect(change).toMatchObject({ next: { dispatch: 'ready', resends }, dueInMs: 0 });
    },
  );

  test.each([
    ['a changed text at the provider', found(), { altered: 1, otherMedia: 0 }, /changed text/],
    ['a rival with other media', found('SM1'), { altered: 0, otherMedia: 1 }, /other media/],
  ])(
    'a look-up with %s proves nothing: there is no resend, and the timeline says why',
    (_name, list, doubts, why) => {
      const early = decideLookUp(unknown(0), list, none, policy, doubts).change;
      expect(early).toMatchObject({ next: { dispatch: 'unknown', lookups: 1 }, dueInMs: 120 });
      expect(early?.event?.detail).toMatch(why);
      const last = decideLookUp(unknown(2), list, none, policy, doubts).change;
      expect(last?.next).toMatchObject({ dispatch: 'unresolved', errorCode: 'outcome_unknown' });
      expect(last?.event?.detail).toMatch(why);
    },
  );

  test('a failed look-up is no evidence: it is not counted and sends nothing', () => {
    const unavailable = { kind: 'unavailable', detail: 'down' } as const;
    const { change } = decideLookUp(unknown(2), unavailable, none, policy);
    expect(change).toMatchObject({ next: { dispatch: 'unknown', lookups: 2 }, dueInMs: 360 });
    const old = unknown(2, { triedForMs: 86_400_000, inDoubtForMs: 86_400_000 });
    expect(decideLookUp(old, unavailable, none, policy).change?.next.dispatch).toBe('unresolved');
    // A day of throttling, then one unknown outcome: the first failed look-up does not fail the message.
    const young = unknown(0, { triedForMs: 86_400_000, inDoubtForMs: 1_000 });
    expect(decideLookUp(young, unavailable, none, policy).change?.next.dispatch).toBe('unknown');
  });

  test('a look-up stores no sender, because its identifier may be taken back', () => {
    const { change } = decideLookUp(unknown(0, { from: null }), found('SM1'), none, policy);
    expect(change?.next.from).toBeNull();
  });
});

describe('direct evidence', () => {
  const adopted = row({
    dispatch: 'accepted',
    providerSid: 'SM1',
    providerStatus: 'delivered',
    status: 'delivered',
    sidAdopted: true,
    from: null,
  });

  test('direct evidence of the identifier from a look-up makes it final', () => {
    const { change } = decideDirectEvidence(adopted, message(), policy, 'callback');
    expect(change?.next).toMatchObject({ sidAdopted: false, from: '+2', status: 'delivered' });
    const again = row({ ...adopted, sidAdopted: false });
    const second = decideDirectEvidence(again, message({ sid: 'SM2' }), policy, 'callback');
    expect(second).toEqual({ change: null, duplicateSid: 'SM2' });
  });

  test('direct evidence of another identifier replaces the one from a look-up, and its status', () => {
    const { change } = decideDirectEvidence(adopted, message({ sid: 'SM2' }), policy, 'answer');
    expect(change?.next).toMatchObject({ providerSid: 'SM2', status: 'queued', sidAdopted: false });
  });

  test('the row that loses its identifier becomes unknown again, without a trace of it', () => {
    const { change } = decideTakenIdentifier(adopted, policy);
    expect(change?.next).toMatchObject({
      dispatch: 'unknown',
      providerSid: null,
      providerStatus: null,
      status: 'queued',
      from: null,
      lookups: 0,
    });
    expect(decideTakenIdentifier(row({ ...adopted, sidAdopted: false }), policy).change).toBeNull();
  });
});

test('later reports only raise the status of a message, and a delivery removes its error code', () => {
  const sent = row({
    dispatch: 'accepted',
    providerSid: 'SM1',
    providerStatus: 'sent',
    status: 'sent',
  });
  expect(mergeEvidence(sent, message({ status: 'sending' }), policy)).toEqual({
    change: null,
    duplicateSid: null,
  });
  const failed = mergeEvidence(
    sent,
    message({ status: 'undelivered', errorCode: '30003' }),
    policy,
  );
  expect(failed.change).toMatchObject({
    next: { status: 'undelivered', errorCode: '30003' },
    dueInMs: null,
  });
  const after = row({ ...sent, ...failed.change?.next });
  const delivered = mergeEvidence(after, message({ status: 'delivered' }), policy);
  expect(delivered.change?.next).toMatchObject({ status: 'delivered', errorCode: null });
});

describe('an opt-out of the recipient at the provider', () => {
  const report = { status: 'failed', errorCode: '21610', isOptOut: true } as const;
  const sent = row({ dispatch: 'accepted', providerSid: 'SM1', providerStatus: 'sent' });

  test.each([
    [
      'an answer',
      decideOutcome(
        row(),
        1,
        { kind: 'rejected', code: '21610', detail: '', isOptOut: true },
        policy,
      ),
    ],
    ['a callback', decideDirectEvidence(sent, message(report), policy, 'callback')],
    ['a poll', decidePoll(sent, { kind: 'found', message: message(report) }, policy)],
    [
      'a look-up',
      decideLookUp(
        row({ dispatch: 'unknown' }),
        { kind: 'found', messages: [message(report)] },
        { undecided: 0, held: 0 },
        policy,
      ),
    ],
  ])('is reported by %s', (_source, { change }) => expect(change?.optsOut).toBe(true));

  test('is reported once, and only by its own code', () => {
    const optedOut = row({
      ...sent,
      status: 'failed',
      providerStatus: 'failed',
      errorCode: '21610',
    });
    const later = mergeEvidence(optedOut, message({ status: 'undelivered' }), policy).change;
    expect(later).toMatchObject({ next: { errorCode: '21610' }, optsOut: false });
    const other = mergeEvidence(
      sent,
      message({ ...report, errorCode: '30003', isOptOut: false }),
      policy,
    ).change;
    expect(other?.optsOut).toBe(false);
  });
});

test('a message keeps the error code that came with its highest status, in any order of callbacks', () => {
  const callbacks = [
    message({ status: 'failed', errorCode: '30003', errorDetail: 'off' }),
    message({ status: 'undelivered' }),
    message({ status: 'undelivered', errorCode: '30001', errorDetail: 'full' }),
    message({ status: 'sent', errorCode: '30008', errorDetail: 'unknown' }),
  ];
  const endOf = (order: readonly ProviderMessage[]): DispatchRow => {
    const now = row({ dispatch: 'accepted', providerSid: 'SM1', providerStatus: 'queued' });
    for (const report of order) Object.assign(now, mergeEvidence(now, report, policy).change?.next);
    return now;
  };
  const seen = permutationsOf(callbacks).map(endOf);
  expect(seen).toHaveLength(24);
  for (const end of seen) {
    expect(end).toMatchObject({ status: 'undelivered', errorCode: '30001', errorDetail: 'full' });
  }
  for (const order of permutationsOf([...callbacks, message({ status: 'delivered' })])) {
    expect(endOf(order)).toMatchObject({ status: 'delivered', errorCode: null, errorDetail: null });
  }
});

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutationsOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

test('a poll without news schedules the next poll until the last one, without an event', () => {
  const sent = row({
    dispatch: 'accepted',
    providerSid: 'SM1',
    providerStatus: 'sent',
    status: 'sent',
  });
  const same = { kind: 'found', message: message({ status: 'sent' }) } as const;
  const first = decidePoll(sent, same, policy).change;
  expect(first).toMatchObject({ next: { lookups: 1 }, dueInMs: 240, event: null });
  const last = decidePoll(row({ ...sent, lookups: 1 }), { kind: 'missing' }, policy).change;
  expect(last).toMatchObject({ next: { lookups: 2 }, dueInMs: null, event: null });
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

test('backoff doubles up to its cap, with jitter down to a half', () => {
  const times = [1, 2, 3, 9, 10, 500].map((attempt) => backoffMs(policy, attempt, 1_000));
  expect(times).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  expect(backoffMs({ ...policy, random: () => 0 }, 1, 1_000)).toBe(500);
});

test('a row that loses its identifier gets the one that the other row gave up', () => {
  const adopted = {
    dispatch: 'accepted',
    status: 'sent',
    providerStatus: 'sent',
    sidAdopted: true,
  } as const;
  const giver = row({ ...adopted, id: 'm2', providerSid: 'SM2' });
  const { change } = decideGivenUpIdentifier(row({ dispatch: 'unknown' }), giver, policy);
  expect(change?.next).toMatchObject({ ...adopted, providerSid: 'SM2' });

  const owner = row({ ...adopted, providerSid: 'SM2', sidAdopted: false });
  expect(decideGivenUpIdentifier(row({ dispatch: 'unknown' }), owner, policy).change).toBeNull();
  const elsewhere = row({ dispatch: 'unknown', from: '+3' });
  expect(decideGivenUpIdentifier(elsewhere, giver, policy).change).toBeNull();
});
