import { describe, expect, test } from 'vitest';
import type { ProviderMessage } from '../../src/ports/provider-message.ts';
import { decideLookUp } from '../../src/dispatch/decide-lookup.ts';
import { decideOutcome } from '../../src/dispatch/decide-outcome.ts';
import { decidePoll } from '../../src/dispatch/decide-poll.ts';
import { decideTakenIdentifier } from '../../src/dispatch/decide-taken-identifier.ts';
import type { DispatchRow } from '../../src/dispatch/dispatch-row.ts';
import { decideDirectEvidence, mergeEvidence } from '../../src/dispatch/evidence.ts';
import { policy, row, message } from './samples.ts';

describe('direct evidence', () => {
  const adopted = row({
    dispatch: 'accepted',
    providerSid: 'SM1',
    providerStatus: 'delivered',
    status: 'delivered',
    sidAdopted: true,
    from: null,
  });

  test('direct evidence of the identifier from a lookup makes it final', () => {
    const { change } = decideDirectEvidence(adopted, message(), policy, 'callback');
    expect(change?.next).toMatchObject({ sidAdopted: false, from: '+2', status: 'delivered' });
    const again = row({ ...adopted, sidAdopted: false });
    const second = decideDirectEvidence(again, message({ sid: 'SM2' }), policy, 'callback');
    expect(second).toEqual({ change: null, duplicateSid: 'SM2' });
  });

  test('direct evidence of another identifier replaces the one from a lookup, and its status', () => {
    const { change } = decideDirectEvidence(adopted, message({ sid: 'SM2' }), policy, 'response');
    expect(change?.next).toMatchObject({ providerSid: 'SM2', status: 'queued', sidAdopted: false });
  });

  test('a row that loses its identifier becomes unknown again, without the status that came with the identifier', () => {
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
      'a response',
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
      'a lookup',
      decideLookUp(
        row({ dispatch: 'unknown' }),
        { kind: 'found', messages: [message(report)] },
        { undecided: 0, held: 0 },
        policy,
      ),
    ],
  ])('an opt-out is reported by %s', (_source, { change }) => expect(change?.optsOut).toBe(true));

  test('an opt-out is reported once, and only by its own code', () => {
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

test('the words of an error are kept without a code, in any order of callbacks, until a code or a delivery replaces them', () => {
  const words = [
    message({ status: 'undelivered', errorDetail: 'Blocked' }),
    message({ status: 'undelivered' }),
    message({ status: 'undelivered', errorDetail: 'Absent subscriber' }),
    message({ status: 'sent', errorDetail: 'Delayed' }),
  ];
  const endOf = (order: readonly ProviderMessage[]): DispatchRow => {
    const now = row({ dispatch: 'accepted', providerSid: 'SM1', providerStatus: 'queued' });
    for (const report of order) Object.assign(now, mergeEvidence(now, report, policy).change?.next);
    return now;
  };
  for (const order of permutationsOf(words)) {
    expect(endOf(order)).toMatchObject({ errorCode: null, errorDetail: 'Blocked' });
  }
  const coded = message({ status: 'undelivered', errorCode: '30003', errorDetail: 'Absent' });
  for (const order of permutationsOf([...words, coded])) {
    expect(endOf(order)).toMatchObject({ errorCode: '30003', errorDetail: 'Absent' });
  }
  for (const order of permutationsOf([...words, message({ status: 'delivered' })])) {
    expect(endOf(order)).toMatchObject({ status: 'delivered', errorCode: null, errorDetail: null });
  }
});

test('a repeated report of an error is no news, with a code or without', () => {
  for (const errorCode of [null, '30003']) {
    const report = message({ status: 'undelivered', errorCode, errorDetail: 'Blocked' });
    const before = row({ dispatch: 'accepted', providerSid: 'SM1', providerStatus: 'queued' });
    const after = row({ ...before, ...mergeEvidence(before, report, policy).change?.next });
    expect(mergeEvidence(after, report, policy).change).toBeNull();
  }
});

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutationsOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

test('a poll that finds no news schedules the next poll, up to the last poll, and records no event', () => {
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
