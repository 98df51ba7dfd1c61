import { expect, test, vi } from 'vitest';
import type { ApplyResult } from './apply-decision.ts';
import { decideCancel } from './decide-cancel.ts';
import { decideOutcome } from './decide-outcome.ts';
import { createDispatchPolicy } from './dispatch-policy.ts';
import type { Change, DispatchRow, MessageKey } from './dispatch-row.ts';
import { type Evidence, decideDirectEvidence } from './evidence.ts';
import { createTransition } from './transition.ts';

const READY: DispatchRow = {
  id: 'm1',
  workspaceId: 'w1',
  version: 1,
  dispatch: 'ready',
  attempt: 0,
  resends: 0,
  provedResends: 0,
  failedAccounts: [],
  lookups: 0,
  status: 'queued',
  providerStatus: null,
  providerSid: null,
  providerId: 'p1',
  vendorAccountId: 'a1',
  sidAdopted: false,
  from: '+14155550100',
  errorCode: null,
  errorDetail: null,
  errorStatus: null,
  onUnknown: 'resend',
  triedForMs: 0,
  inDoubtForMs: 0,
  isInProgress: true,
};

const keyOf = ({ workspaceId, id }: DispatchRow): MessageKey => ({ workspaceId, id });

const evidenceOf = (sid: string, status: 'queued' | 'delivered' = 'queued'): Evidence => ({
  sid,
  providerId: 'p1',
  vendorAccountId: 'a1',
  status,
  rawStatus: status,
  from: null,
  errorCode: null,
  errorDetail: null,
  isOptOut: false,
});

/** One message in memory, and everything that a transition reports about it. */
function createHarness(start: Partial<DispatchRow> = {}, holder: DispatchRow | null = null) {
  let row: DispatchRow = { ...READY, ...start };
  let seq = 0;
  const published: number[] = [];
  const duplicates = new Set<string>();
  const unmatched = new Map<string, Evidence[]>();
  const apply = vi.fn(async (change: Change): Promise<ApplyResult> => {
    if (change.expectedVersion !== row.version) return { kind: 'stale' };
    if (change.next.providerSid !== null && change.next.providerSid === holder?.providerSid) {
      return { kind: 'sid_taken' };
    }
    row = { ...row, ...change.next, version: row.version + 1 };
    seq += 1;
    return { kind: 'applied', workspaceId: row.workspaceId, seq };
  });
  const counters = { duplicates: 0, unmatchedMerged: 0, failedWrites: 0 };
  const countAs = (name: keyof typeof counters) => ({ inc: () => void (counters[name] += 1) });
  const policy = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] });
  const log = { warn: vi.fn(), error: vi.fn() };
  const { transition } = createTransition({
    store: {
      readRow: async () => row,
      findRowByProviderSid: async (_account, sid) =>
        [row, holder].find((each) => each?.providerSid === sid) ?? null,
      apply,
      async recordDuplicate(_id, sid) {
        if (duplicates.has(sid)) return null;
        duplicates.add(sid);
        seq += 1;
        return { workspaceId: row.workspaceId, seq };
      },
    },
    unmatchedCallbacks: {
      async take(_account, sid) {
        const taken = unmatched.get(sid) ?? [];
        unmatched.delete(sid);
        return taken;
      },
    },
    publishLater: (notification) => {
      if (notification.kind === 'message') published.push(notification.seq);
    },
    policy,
    metrics: {
      duplicates: countAs('duplicates'),
      unmatchedMerged: countAs('unmatchedMerged'),
      failedWrites: countAs('failedWrites'),
    },
  });
  const prove = (evidence: Evidence) =>
    transition(keyOf(row), (now) => decideDirectEvidence(now, evidence, policy, 'response'), {
      log,
      reach: 'account',
    });
  return { row: () => row, published, unmatched, apply, counters, log, transition, prove };
}

test('a transition publishes its event, and merges the callbacks that waited for the identifier', async () => {
  const { row, published, unmatched, counters, prove } = createHarness({ dispatch: 'inflight' });
  unmatched.set('S1', [evidenceOf('S1', 'delivered')]);
  expect(await prove(evidenceOf('S1'))).toMatchObject({ kind: 'changed' });
  expect(row()).toMatchObject({ dispatch: 'accepted', providerSid: 'S1', status: 'delivered' });
  expect(published).toEqual([1, 2]);
  expect(counters.unmatchedMerged).toBe(1);
});

test('a second identifier with direct evidence is reported once, however often it is seen', async () => {
  const { row, published, counters, log, prove } = createHarness({ dispatch: 'inflight' });
  await prove(evidenceOf('S1'));
  expect(await prove(evidenceOf('S2'))).toMatchObject({ kind: 'duplicate', isNew: true });
  expect(await prove(evidenceOf('S2'))).toMatchObject({ kind: 'duplicate', isNew: false });
  expect(row().providerSid).toBe('S1');
  expect(published).toEqual([1, 2]);
  expect(counters.duplicates).toBe(1);
  expect(log.error).toHaveBeenCalledTimes(1);
});

test('a cancel of a row that changes in every round fails instead of looping forever', async () => {
  const { apply, transition, log } = createHarness();
  apply.mockResolvedValue({ kind: 'stale' });
  await expect(transition(keyOf(READY), decideCancel, { log })).rejects.toThrow('kept changing');
});

test('a failed write is retried for as long as the caller allows, with a new decision each time', async () => {
  const { apply, row, counters, transition, log } = createHarness();
  apply.mockRejectedValueOnce(new Error('the connection was lost'));
  const options = { log, retryForMs: 5_000 };
  expect(await transition(row(), decideCancel, options)).toMatchObject({ kind: 'changed' });
  expect(row().status).toBe('canceled');
  apply.mockRejectedValue(new Error('the connection was lost'));
  await expect(
    transition(keyOf(row()), (now) => ({ ...decideCancel({ ...now, dispatch: 'ready' }) }), {
      log,
    }),
  ).rejects.toThrow('the connection was lost');
  expect(counters.failedWrites).toBe(2);
});

test('a throttled message is ready immediately, however often and however long its account was throttled', () => {
  const policy = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] });
  const row: DispatchRow = {
    ...READY,
    dispatch: 'inflight',
    attempt: 9,
    triedForMs: 2 * policy.giveUpAfterMs,
  };
  const outcome = { kind: 'not_sent', code: null, detail: 'Later.' } as const;
  const throttled = { ...outcome, reason: 'throttled', retryAfterMs: null } as const;
  expect(decideOutcome(row, 9, throttled, policy).change).toMatchObject({
    next: { dispatch: 'ready', status: 'queued' },
    notBeforeInMs: 0,
  });
  const stated = { ...throttled, retryAfterMs: 5_000 };
  expect(decideOutcome(row, 9, stated, policy).change).toMatchObject({ notBeforeInMs: 5_000 });
  const unreachable = { ...throttled, reason: 'unreachable' } as const;
  expect(decideOutcome(row, 9, unreachable, policy).change).toMatchObject({
    next: { dispatch: 'rejected' },
  });
});

test.each([
  ['is stored under its own name if the provider may repeat identifiers', true, 'accepted'],
  [
    'has an unknown outcome at once, with its reason, if the provider must not',
    undefined,
    'unknown',
  ],
] as const)('a message with the identifier of another one %s', async (_, mayShareSid, dispatch) => {
  const holder = { ...READY, id: 'other', dispatch: 'accepted' as const, providerSid: 'S1' };
  const { row, prove } = createHarness({ dispatch: 'inflight', attempt: 1 }, holder);
  const evidence = { ...evidenceOf('S1'), ...(mayShareSid === true && { mayShareSid }) };
  await prove(evidence);
  expect(row().dispatch).toBe(dispatch);
  expect(row().providerSid).toBe(mayShareSid === true ? `S1#${READY.id}` : null);
});
