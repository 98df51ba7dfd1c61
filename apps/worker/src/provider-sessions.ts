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
 * The longest time that the messages of an account wait when the worker that holds its session
 * dies.
 */
export const SESSION_LEASE_MS = 10_000;

/** This worker's sessions with provider accounts, and the workers that hold the other sessions. */
export interface Sessions {
  /** Sends a hint to the worker that holds the session its message needs. */
  forward(workerId: string, hint: DispatchHint): void;
  /** Reads the accounts once, and holds sessions from then on. */
  start(): Promise<void>;
  /** Takes no more sessions, and announces to other workers that its own are about to end. */
  leave(): Promise<void>;
  /** Closes all sessions and releases their places. */
  close(): Promise<void>;
  /**
   * Returns where messages of the account are sent. Null means the only account of the workspace.
   */
  locate(workspaceId: string, providerId: string | null): SessionLocation;
  /** Returns which accounts this process may call. */
  listClaims(): SessionClaims;
  /** Lists the ids of workspaces whose messages only other processes can send. */
  listElsewhere(): string[];
  /** Returns whether any worker has a bound session; null for an account without sessions. */
  isBound(account: { id: string; type: string }): boolean | null;
  /** Makes a provider call, during which the sessions of its account stay open. */
  call<T>(providerId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Returns whether this process may no longer call the account, because its session has just
   * ended.
   */
  hasEnded(account: { id: string; type: string }): boolean;
  countByState(): ReadonlyMap<LeaseState, number>;
  /** Counts the places of all accounts, as they were last read. */
  countPlaces(): { held: number; free: number };
}

/** Stores a long message from the parts that have arrived, and removes them. */
export type StoreLongMessage = (
  message: LongMessage,
  how: { isLate: boolean; log: Logger },
) => Promise<void>;
