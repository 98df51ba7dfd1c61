import type { ProviderSession, ProviderSessionState } from '@switchboard/core';
import type { LeaseState, SessionPlace } from '@switchboard/database';
import type { Receiver } from './create-receiver.ts';
import type { LeaseFence } from './lease-fence.ts';
import type { UsableAccount } from './usable-account.ts';

/** A session that this process holds. */
export interface HeldSession extends SessionPlace {
  readonly account: UsableAccount;
  readonly leaseState: LeaseState;
  readonly state: ProviderSessionState;
  readonly fence: LeaseFence;
  /** The session is about to end: no further message may be claimed for it. */
  readonly isLeaving: boolean;
  withdraw(): void;
  /** Sends nothing more from now on, waits for responses, and ends the session. Safe to repeat. */
  close(graceMs: number): Promise<void>;
}

/**
 * States in which messages of the account may be claimed. If the session is not bound, the messages
 * are not sent.
 */
const READY: ReadonlySet<LeaseState> = new Set(['bound', 'failing', 'refused']);

export function isReady(state: LeaseState): boolean {
  return READY.has(state);
}

export type HeldSessions = ReturnType<typeof createHeldSessions>;

/** Creates the list of sessions that this process holds, one for each place. */
export function createHeldSessions() {
  const sessions = new Map<string, HeldSession>();
  const has = (session: HeldSession): boolean => sessions.get(keyOf(session)) === session;
  return {
    has,
    list: (): readonly HeldSession[] => [...sessions.values()],
    /** Returns the session that was held in the same place before. */
    add(session: HeldSession): HeldSession | undefined {
      const before = sessions.get(keyOf(session));
      sessions.set(keyOf(session), session);
      return before;
    },
    /** Returns false if the session is not held. */
    remove: (session: HeldSession): boolean => has(session) && sessions.delete(keyOf(session)),
  };
}

export function keyOf({ providerId, place }: Pick<SessionPlace, 'providerId' | 'place'>): string {
  return `${providerId} ${place}`;
}

/** Opens a session in a place whose lease was just taken. */
export function holdSession(options: {
  account: UsableAccount;
  place: number;
  fence: LeaseFence;
  receiver: Receiver;
  onStateChange(session: HeldSession): void;
}): HeldSession {
  const { account, place, fence, receiver } = options;
  const { adapter, account: opened } = options.account.resolved;
  if (adapter.sessions === null) throw new Error(`${adapter.type} has no sessions`);
  let leaseState: LeaseState = 'opening';
  let session: ProviderSession | null = null;
  let isLeaving = false;
  let closing: Promise<void> | null = null;

  const held: HeldSession = {
    workspaceId: account.workspaceId,
    providerId: account.id,
    account,
    place,
    fence,
    get leaseState() {
      return isLeaving ? 'leaving' : leaseState;
    },
    get isLeaving() {
      return isLeaving;
    },
    get state() {
      return session?.state ?? { kind: 'connecting', detail: null };
    },
    withdraw() {
      isLeaving = true;
    },
    close(graceMs) {
      isLeaving = true;
      // A close without a grace period ends an earlier close that still waits.
      const ending = session?.close(graceMs) ?? Promise.resolve();
      closing = closing === null ? ending : Promise.all([closing, ending]).then(() => undefined);
      return closing;
    },
  };
  session = adapter.sessions.open(
    opened,
    {
      onStatus: receiver.onStatus,
      onInbound: receiver.onInbound,
      onProblem: receiver.onProblem,
      onStateChange(state) {
        receiver.onStateChange(state.kind === 'bound');
        if (state.kind !== 'closed') leaseState = toLeaseState(state);
        // During the call to `open`, this process has not recorded the session yet.
        queueMicrotask(() => options.onStateChange(held));
      },
    },
    fence.isHeld,
  );
  leaseState = toLeaseState(session.state);
  return held;
}

function toLeaseState(state: Exclude<ProviderSessionState, { kind: 'closed' }>): LeaseState;
function toLeaseState(state: ProviderSessionState): LeaseState;
function toLeaseState(state: ProviderSessionState): LeaseState {
  switch (state.kind) {
    case 'bound':
    case 'refused':
      return state.kind;
    case 'connecting':
      return state.detail === null ? 'opening' : 'failing';
    case 'closed':
      return 'leaving';
  }
}
