import { describe, expect, test } from 'vitest';
import { mayChangeAccount } from '../../src/dispatch/change-account.ts';
import { decideLookUp } from '../../src/dispatch/decide-lookup.ts';
import { decideGivenUpIdentifier } from '../../src/dispatch/decide-taken-identifier.ts';
import type { DispatchRow } from '../../src/dispatch/dispatch-row.ts';
import { policy, row, message } from './samples.ts';

describe('a lookup', () => {
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
    'with %s, a row adopts a candidate only if there is one for every row that may claim it',
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
  ])('an empty lookup after %i others makes the row %s', (lookups, dispatch, dueInMs) => {
    const { change } = decideLookUp(unknown(lookups), found(), none, policy);
    expect(change).toMatchObject({ next: { dispatch }, dueInMs });
    expect(change?.next.resends).toBe(dispatch === 'ready' ? 1 : 0);
  });

  test.each([
    ['after a resend', { resends: 1 }],
    ['if on_unknown is fail', { onUnknown: 'fail' as const }],
  ])('an empty lookup at the end of the hold fails the message %s', (_name, fields) => {
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
    'an empty lookup after a restore sends a message that was ready in the backup, with on_unknown %s after %i resends',
    (onUnknown, resends) => {
      const restored = unknown(2, { attempt: 0, onUnknown, resends });
      const { change } = decideLookUp(restored, found(), none, policy);
      expect(change).toMatchObject({ next: { dispatch: 'ready', resends }, dueInMs: 0 });
    },
  );

  test('an empty lookup by reference after the hold leaves the next attempt to any account, up to three times', () => {
    const evidence = { proof: 'by_reference' } as const;
    const first = decideLookUp(unknown(2), found(), none, policy, evidence).change?.next;
    expect(first).toMatchObject({
      dispatch: 'ready',
      resends: 1,
      provedResends: 1,
      failedAccounts: ['AC1'],
    });
    const third = unknown(2, { resends: 3, provedResends: 3 });
    const last = decideLookUp(third, found(), none, policy, evidence).change?.next;
    expect(last).toMatchObject({ dispatch: 'unresolved', errorCode: 'outcome_unknown' });
    // One earlier resend is based on weak evidence.
    const weak = unknown(2, { resends: 1, provedResends: 0 });
    const afterWeak = decideLookUp(weak, found(), none, policy, evidence).change?.next;
    expect(afterWeak).toMatchObject({ dispatch: 'unresolved' });
  });

  test('after a restore, a message is looked up at every account before it is sent', () => {
    const evidence = {
      unchecked: ['AC1', 'AC2'].map((id) => ({ id, vendorAccountId: `at the vendor ${id}` })),
    };
    const restored = unknown(2, { attempt: 0 });
    const next = decideLookUp(restored, found(), none, policy, evidence).change?.next;
    expect(next).toMatchObject({
      dispatch: 'unknown',
      providerId: 'AC2',
      vendorAccountId: 'at the vendor AC2',
      lookups: 0,
    });
    const last = unknown(2, { attempt: 0, providerId: 'AC2', failedAccounts: ['AC1'] });
    const sent = decideLookUp(last, found(), none, policy, evidence).change?.next;
    expect(sent).toMatchObject({ dispatch: 'ready', failedAccounts: [] });
  });

  test.each([
    ['a changed text at the provider', found(), { altered: 1, otherMedia: 0 }, /changed text/],
    ['a rival with other media', found('SM1'), { altered: 0, otherMedia: 1 }, /other media/],
  ])(
    'a lookup with %s proves nothing: there is no resend, and the timeline shows the reason',
    (_name, list, doubts, why) => {
      const early = decideLookUp(unknown(0), list, none, policy, { doubts }).change;
      expect(early).toMatchObject({ next: { dispatch: 'unknown', lookups: 1 }, dueInMs: 120 });
      expect(early?.event?.detail).toMatch(why);
      const last = decideLookUp(unknown(2), list, none, policy, { doubts }).change;
      expect(last?.next).toMatchObject({ dispatch: 'unresolved', errorCode: 'outcome_unknown' });
      expect(last?.event?.detail).toMatch(why);
    },
  );

  test('a failed lookup is no evidence: it is not counted and sends nothing', () => {
    const unavailable = { kind: 'unavailable', detail: 'down' } as const;
    const { change } = decideLookUp(unknown(2), unavailable, none, policy);
    expect(change).toMatchObject({ next: { dispatch: 'unknown', lookups: 2 }, dueInMs: 360 });
    const old = unknown(2, { triedForMs: 86_400_000, inDoubtForMs: 86_400_000 });
    expect(decideLookUp(old, unavailable, none, policy).change?.next.dispatch).toBe('unresolved');
    // A day of throttling, then one unknown outcome: the first failed lookup does not fail the message.
    const young = unknown(0, { triedForMs: 86_400_000, inDoubtForMs: 1_000 });
    expect(decideLookUp(young, unavailable, none, policy).change?.next.dispatch).toBe('unknown');
  });

  test('a message at a provider without any evidence is resent once after the hold, and only if the owner of the account chose that', () => {
    const unavailable = { kind: 'unavailable', detail: 'The provider has no lookup' } as const;
    const decide = (fields: Partial<DispatchRow>, isWithoutEvidence = true) =>
      decideLookUp(
        unknown(0, { attempt: 1, inDoubtForMs: 600, ...fields }),
        unavailable,
        none,
        policy,
        { isWithoutEvidence },
      ).change?.next;
    const repeated = decide({});
    expect(repeated).toMatchObject({ dispatch: 'ready', resends: 1, failedAccounts: [] });
    expect(repeated !== undefined && mayChangeAccount(repeated)).toBe(false);
    for (const next of [
      decide({ inDoubtForMs: 599 }),
      decide({ onUnknown: 'fail' }),
      decide({ resends: 1 }),
      decide({ attempt: 0 }),
      // The provider has some evidence, for example our reference in its callbacks.
      decide({}, false),
    ]) {
      expect(next).toMatchObject({ dispatch: 'unknown' });
    }
  });

  test('a message that can’t be looked up fails after the hold and the usual delay of a receipt, and later evidence replaces that', () => {
    const unavailable = { kind: 'unavailable', detail: 'The provider has no lookup' } as const;
    const decide = (fields: Partial<DispatchRow>) =>
      decideLookUp(unknown(0, { attempt: 1, ...fields }), unavailable, none, policy, {
        hasLookUp: false,
      }).change;
    for (const onUnknown of ['fail', 'resend'] as const) {
      const early = decide({ onUnknown, inDoubtForMs: 700 });
      // The hold of 600 and the delay of 400.
      expect(early).toMatchObject({ next: { dispatch: 'unknown' }, dueInMs: 300 });
      const late = decide({ onUnknown, inDoubtForMs: 1_000 });
      expect(late?.next).toMatchObject({ dispatch: 'unresolved', errorCode: 'outcome_unknown' });
    }
    const restored = { attempt: 0, inDoubtForMs: 86_400_000 };
    expect(decide({ ...restored, triedForMs: 999 })?.dueInMs).toBe(1);
    expect(decide({ ...restored, triedForMs: 1_000 })?.next.dispatch).toBe('unresolved');
  });

  test('a lookup stores no sender, because its identifier may be removed', () => {
    const { change } = decideLookUp(unknown(0, { from: null }), found('SM1'), none, policy);
    expect(change?.next.from).toBeNull();
  });
});

test('a row that loses its identifier gets the identifier of the other row, and keeps its own account', () => {
  const adopted = {
    dispatch: 'accepted',
    status: 'sent',
    providerStatus: 'sent',
    sidAdopted: true,
  } as const;
  // Of another workspace with the same account at the vendor.
  const giver = row({ ...adopted, id: 'm2', providerSid: 'SM2', providerId: 'theirs' });
  const { change } = decideGivenUpIdentifier(row({ dispatch: 'unknown' }), giver, policy);
  expect(change?.next).toMatchObject({ ...adopted, providerSid: 'SM2', providerId: 'AC1' });

  const owner = row({ ...adopted, providerSid: 'SM2', sidAdopted: false });
  expect(decideGivenUpIdentifier(row({ dispatch: 'unknown' }), owner, policy).change).toBeNull();
  for (const other of [{ from: '+3' }, { vendorAccountId: 'AC2' }]) {
    const elsewhere = row({ dispatch: 'unknown', ...other });
    expect(decideGivenUpIdentifier(elsewhere, giver, policy).change).toBeNull();
  }
});
