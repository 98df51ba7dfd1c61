import type { DispatchHint } from '@switchboard/core';
import type { LeaseState, LongMessage, SessionClaims } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';

/** Where the messages of an account are sent. */
export type SessionLocation =
  /** In this process, as far as sessions are concerned. */
  | { kind: 'here' }
  | { kind: 'worker'; workerId: string }
  /** No worker has a session yet. */
  | { kind: 'nowhere' };

/**
 * How long a lease of a session lasts: the longest time that the messages of an account wait when the
 * worker that holds its session dies.
 */
export const SESSION_LEASE_MS = 10_000;

/** Which process has a session with which account. */
export interface SessionDirectory {
  /**
   * Returns where messages of the account are sent. Null means the only account of the workspace.
   */
  locate(workspaceId: string, providerId: string | null): SessionLocation;
  /** Returns whether any worker has a bound session; null for an account without sessions. */
  isBound(account: { id: string; type: string }): boolean | null;
  /**
   * Returns whether this process may no longer call the account, because its session has just
   * ended.
   */
  hasEnded(account: { id: string; type: string }): boolean;
  /** Returns which accounts this process may call. */
  listClaims(): SessionClaims;
  /** Lists the ids of workspaces whose messages only other processes can send. */
  listElsewhere(): string[];
  /** Counts the sessions of this process. */
  countByState(): ReadonlyMap<LeaseState, number>;
  /** Counts the sessions that workers hold, and those that enabled accounts still permit. */
  countPlaces(): { held: number; free: number };
}

/** The calls in flight. A session is not closed while its account has any. */
export interface SessionCalls {
  run<T>(providerId: string, call: () => Promise<T>): Promise<T>;
  /** Resolves when no call of the account is in flight. */
  idle(providerId: string): Promise<void>;
}

/** Sends a hint to the worker that holds the session its message needs. */
export type ForwardHint = (workerId: string, hint: DispatchHint) => void;

/** Stores a long message from the parts that have arrived, and removes them. */
export type StoreLongMessage = (
  message: LongMessage,
  how: { isLate: boolean; log: Logger },
) => Promise<void>;
