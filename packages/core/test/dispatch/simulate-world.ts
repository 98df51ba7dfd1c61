import type { ProviderMessage } from '../../src/ports/provider-message.ts';
import { decideLookUp } from '../../src/dispatch/decide-lookup.ts';
import { decideOutcome, decideUnknown } from '../../src/dispatch/decide-outcome.ts';
import {
  type Change,
  type Decision,
  type DispatchRow,
  type MessageKey,
  NO_CHANGE,
} from '../../src/dispatch/dispatch-row.ts';
import { decideDirectEvidence } from '../../src/dispatch/evidence.ts';
import { isResend, postponeResend } from '../../src/dispatch/postpone-resend.ts';
import { type ApplyResult, applyDecision } from '../../src/dispatch/apply-decision.ts';
import {
  SECOND,
  LEASE,
  CALL_TIMEOUT,
  HOLD,
  LOOK_UP_SLACK,
  ACCOUNT,
  policy,
  type Row,
  type Fate,
  type Call,
  type Taken,
  type LookUp,
} from './assumptions.ts';

export function createWorld() {
  let now = 1_000_000 * SECOND;
  let sids = 0;
  const rows = new Map<string, Row>();
  const messages: Taken[] = [];
  let calls: Call[] = [];
  let lookups: LookUp[] = [];
  /** The provider responds to every request with a 5xx or not at all. */
  let isOut = false;

  const read = (row: Row): Row => ({
    ...row,
    triedForMs: now - (row.firstAttemptAt ?? now),
    inDoubtForMs: now - Math.max(row.firstAttemptAt ?? 0, row.startedAt),
    isInProgress: row.dueAt !== null,
  });
  const visible = (): Taken[] => messages.filter(({ at }) => at <= now);
  const store = {
    readRow: async ({ id }: MessageKey) => {
      const row = rows.get(id);
      return row === undefined ? null : read(row);
    },
    findRowByProviderSid: async (_account: string, sid: string) => {
      const row = [...rows.values()].find(({ providerSid }) => providerSid === sid);
      return row === undefined ? null : read(row);
    },
    apply: async (change: Change): Promise<ApplyResult> => {
      const row = rows.get(change.id);
      if (row === undefined || row.version !== change.expectedVersion) return { kind: 'stale' };
      const { providerSid } = change.next;
      const holder = [...rows.values()].find((other) => other.providerSid === providerSid);
      if (providerSid !== null && holder !== undefined && holder.id !== row.id) {
        return { kind: 'sid_taken' };
      }
      Object.assign(row, change.next, { version: row.version + 1 });
      if (change.notBeforeInMs !== null) row.notBefore = now + change.notBeforeInMs;
      row.dueAt = change.dueInMs === null ? null : now + change.dueInMs;
      return { kind: 'applied', workspaceId: row.workspaceId, seq: null };
    },
  };
  const applyTo = (id: string, decide: (row: DispatchRow) => Decision) =>
    applyDecision(store, { workspaceId: 'w', id }, decide, policy);

  const asProviderMessage = (taken: Taken): ProviderMessage & { providerId: string } => ({
    providerId: 'AC',
    sid: taken.sid,
    vendorAccountId: ACCOUNT,
    status: 'queued',
    rawStatus: 'queued',
    to: '+1',
    from: '+2',
    body: 'same',
    segments: 1,
    mediaCount: 0,
    errorCode: null,
    errorDetail: null,
    isOptOut: false,
    direction: 'outbound',
    createdAt: new Date(taken.at),
  });

  const world = {
    rows,
    messages,
    advance(ms: number) {
      now += ms;
    },

    accept(onUnknown: 'resend' | 'fail') {
      const id = `row-${rows.size}`;
      rows.set(id, {
        id,
        workspaceId: 'w',
        version: 0,
        attempt: 0,
        onUnknown,
        triedForMs: 0,
        inDoubtForMs: 0,
        isInProgress: true,
        dispatch: 'ready',
        resends: 0,
        provedResends: 0,
        failedAccounts: [],
        lookups: 0,
        status: 'queued',
        providerStatus: null,
        providerSid: null,
        providerId: null,
        vendorAccountId: null,
        sidAdopted: false,
        from: '+2',
        errorCode: null,
        errorDetail: null,
        errorStatus: null,
        firstAttemptAt: null,
        notBefore: now,
        dueAt: now,
        startedAt: 0,
      });
    },

    breakDown() {
      isOut = true;
    },

    recover() {
      isOut = false;
    },

    claim(pick: number) {
      const ready = [...rows.values()].filter(
        (row) => row.dispatch === 'ready' && row.notBefore <= now,
      );
      const row = ready[pick % ready.length];
      if (row === undefined) return;
      row.dispatch = 'inflight';
      row.version += 1;
      row.attempt += 1;
      row.dueAt = now + LEASE;
      row.vendorAccountId = ACCOUNT;
      row.firstAttemptAt ??= now;
      if (row.resends === 0) row.startedAt = now;
      calls.push({ rowId: row.id, attempt: row.attempt, claimedAt: now, outcome: null });
    },

    /** The worker is about to write the request, possibly long after the claim. */
    write(pick: number, fate: Fate) {
      const waiting = calls.filter((call) => call.outcome === null);
      const call = waiting[pick % waiting.length];
      if (call === undefined) return;
      const notSent = { kind: 'not_sent', retryAfterMs: null, code: null, detail: '' } as const;
      if (now > call.claimedAt + LEASE - CALL_TIMEOUT) {
        call.outcome = { ...notSent, reason: 'lease_expired' };
        return;
      }
      if (isOut) {
        call.outcome =
          fate.kind === 'taken'
            ? { kind: 'unknown', detail: '' }
            : { ...notSent, reason: 'unreachable' };
        return;
      }
      if (fate.kind === 'taken') {
        const taken = { sid: `SM${(sids += 1)}`, rowId: call.rowId, at: now + fate.afterMs };
        messages.push(taken);
        call.outcome =
          fate.response === 'accepted' && fate.afterMs === 0
            ? { kind: 'accepted', message: asProviderMessage(taken) }
            : { kind: 'unknown', detail: '' };
        return;
      }
      call.outcome =
        fate.response === 'throttled'
          ? { ...notSent, reason: 'throttled' }
          : fate.response === 'rejected'
            ? { kind: 'rejected', code: '21211', detail: '', isOptOut: false }
            : { kind: 'unknown', detail: '' };
    },

    async report(pick: number) {
      const known = calls.filter((call) => call.outcome !== null);
      const call = known[pick % known.length];
      if (call?.outcome == null) return;
      const { rowId, attempt, outcome } = call;
      calls = calls.filter((other) => other !== call);
      await applyTo(rowId, (row) => decideOutcome(row, attempt, outcome, policy));
    },

    /** The worker dies and loses its state. */
    crash(pick: number) {
      const call = calls[pick % calls.length];
      calls = calls.filter((other) => other !== call);
    },

    async callback(pick: number) {
      const seen = visible();
      const taken = seen[pick % seen.length];
      if (taken === undefined) return;
      await applyTo(taken.rowId, (row) =>
        decideDirectEvidence(
          row,
          { ...asProviderMessage(taken), status: 'sent' as const },
          policy,
          'callback',
        ),
      );
    },

    async sweep() {
      for (const row of rows.values()) {
        if (row.dueAt === null || row.dueAt > now) continue;
        if (row.dispatch === 'inflight') {
          const { attempt } = row;
          await applyTo(row.id, (fresh) => decideUnknown(fresh, attempt, '', policy));
        } else if (row.dispatch === 'unknown') {
          // The list of the provider is read now, and the decision follows later.
          row.dueAt = now + LEASE;
          lookups.push({
            rowId: row.id,
            version: row.version,
            list: visible().filter(({ at }) => at >= row.startedAt - LOOK_UP_SLACK),
          });
        }
      }
    },

    async decideLookUp(pick: number) {
      const lookUp = lookups[pick % lookups.length];
      if (lookUp === undefined) return;
      lookups = lookups.filter((other) => other !== lookUp);
      const held = new Set([...rows.values()].map(({ providerSid }) => providerSid));
      const free = lookUp.list.filter(({ sid }) => !held.has(sid));
      const youngest = Math.max(...free.map(({ at }) => at));
      const others = [...rows.values()].filter(
        (row) =>
          row.id !== lookUp.rowId &&
          (row.dispatch === 'inflight' || row.dispatch === 'unknown') &&
          row.startedAt <= youngest + LOOK_UP_SLACK,
      );
      const isHeld = (row: Row) => row.dispatch === 'unknown' && row.lookups >= HOLD.length;
      const rivals = {
        undecided: others.filter((row) => !isHeld(row)).length,
        held: others.filter(isHeld).length,
      };
      await applyTo(lookUp.rowId, (row) => {
        if (row.version !== lookUp.version) return NO_CHANGE;
        const found = { kind: 'found', messages: free.map(asProviderMessage) } as const;
        const decision = decideLookUp(row, found, rivals, policy);
        return isOut && isResend(row, decision) ? postponeResend(row, policy) : decision;
      });
    },

    /** Loses the state of all processes. Then everything works for long enough to finish. */
    async finishAll(withCallbacks: boolean) {
      isOut = false;
      calls = [];
      lookups = [];
      for (let round = 0; round < 60; round += 1) {
        world.advance(60 * SECOND);
        // The order does not matter, but every callback arrives.
        const all = withCallbacks ? messages.length : 0;
        for (let i = 0; i < all; i += 1) await world.callback(i);
        await world.sweep();
        while (lookups.length > 0) await world.decideLookUp(0);
        for (let i = 0; i < rows.size; i += 1) {
          world.claim(0);
          world.write(0, { kind: 'taken', afterMs: 0, response: 'accepted' });
          await world.report(0);
        }
      }
    },
  };
  return world;
}

export type World = ReturnType<typeof createWorld>;
