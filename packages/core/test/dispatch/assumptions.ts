import type { CallOutcome } from '../../src/ports/send-outcome.ts';
import { type DispatchPolicy, gapsOf } from '../../src/dispatch/dispatch-policy.ts';
import type { DispatchRow } from '../../src/dispatch/dispatch-row.ts';

export const SECOND = 1_000;
export const LEASE = 60 * SECOND;
export const CALL_TIMEOUT = 15 * SECOND;
/** The hold is longer than this time plus a lease. Every guarantee depends on this assumption. */
export const LATEST_ACCEPTANCE = 400 * SECOND;
export const HOLD = [120 * SECOND, 240 * SECOND, 600 * SECOND];
export const LOOK_UP_SLACK = 5 * SECOND;
export const ACCOUNT = 'AC1';

export const policy: DispatchPolicy = {
  unknownLookupsMs: gapsOf(HOLD),
  unknownReceiptMs: 300 * SECOND,
  pollsMs: [],
  backoffMs: SECOND,
  backoffCapMs: 300 * SECOND,
  credentialsBackoffMs: 60 * SECOND,
  probeCapMs: 60 * SECOND,
  giveUpAfterMs: 30 * 24 * 3_600 * SECOND,
  random: () => 0.5,
};

export interface Row extends DispatchRow {
  firstAttemptAt: number | null;
  notBefore: number;
  dueAt: number | null;
  startedAt: number;
}

/** What the provider does with a request. */
export type Fate =
  | { kind: 'taken'; afterMs: number; response: 'accepted' | 'unknown' }
  | { kind: 'not_taken'; response: 'unknown' | 'throttled' | 'rejected' };

export interface Call {
  rowId: string;
  attempt: number;
  claimedAt: number;
  /** Null until the request is written, or the lease expires before that. */
  outcome: CallOutcome | null;
}

export interface Taken {
  sid: string;
  rowId: string;
  at: number;
}

export interface LookUp {
  rowId: string;
  version: number;
  list: Taken[];
}
