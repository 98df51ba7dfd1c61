import type { ProviderAccount } from '@switchboard/core';

import type { SmppSettings } from './credentials.ts';
import type { SmppSession } from './open-session.ts';

export type TakeOutcome =
  /** `release` must be called when the message has no further part in flight. */
  | { kind: 'taken'; session: SmppSession; release(): void }
  /** Nothing was written. */
  | { kind: 'unbound' | 'refused' | 'busy'; detail: string };

interface TakeOptions {
  /** How long to wait for a slot. */
  timeoutMs: number;
  /** Some parts of the message were accepted, so it does not wait for other such messages. Default: false. */
  hasBegun?: boolean;
}

interface Waiter {
  window: number;
  hasBegun: boolean;
  finish(outcome: TakeOutcome): void;
}

interface Entry {
  sessions: Set<SmppSession>;
  waiters: Set<Waiter>;
  /** Messages of which some parts were accepted, and the next one is throttled. */
  throttled: Set<object>;
}

export type SessionPool = ReturnType<typeof createSessionPool>;

/** Shares the open sessions of an account among its messages, each of which takes a slot in a window. */
export function createSessionPool() {
  const entries = new Map<string, Entry>();

  function take(session: SmppSession, entry: Entry): TakeOutcome {
    let isReleased = false;
    session.takePlace();
    return {
      kind: 'taken',
      session,
      release() {
        if (isReleased) return;
        isReleased = true;
        session.releasePlace();
        serveWaiters(entry);
      },
    };
  }

  /** While the parts of messages are throttled, no other message begins, so that these are completed. */
  function mustWait({ throttled }: Entry, hasBegun: boolean): boolean {
    return throttled.size > 0 && !hasBegun;
  }

  /** Serves waiting messages in their order. If no session is left, all of them fail. */
  function serveWaiters(entry: Entry): void {
    for (const waiter of entry.waiters) {
      if (mustWait(entry, waiter.hasBegun) && entry.sessions.size > 0) continue;
      const found = findSession(entry, waiter.window);
      if (found === null) return;
      waiter.finish(found.kind === 'free' ? take(found.session, entry) : found);
    }
  }

  return {
    /**
     * Takes a slot in the window of the session with the fewest messages in flight, or waits for
     * one if all windows are full, if a bind that worked has just ended, or if the SMSC throttles later parts of
     * other messages.
     */
    async take(
      account: ProviderAccount,
      { window }: Pick<SmppSettings, 'window'>,
      { timeoutMs, hasBegun = false }: TakeOptions,
    ): Promise<TakeOutcome> {
      const entry = entries.get(keyOf(account));
      if (entry === undefined) return NO_SESSION;
      const isQueued = entry.waiters.size > 0 || mustWait(entry, hasBegun);
      const found = isQueued ? null : findSession(entry, window);
      if (found?.kind === 'free') return take(found.session, entry);
      if (found !== null) return found;
      return new Promise((resolve) => {
        const waiter: Waiter = {
          window,
          hasBegun,
          finish(outcome) {
            clearTimeout(timer);
            entry.waiters.delete(waiter);
            resolve(outcome);
          },
        };
        const timer = setTimeout(() => {
          const isBound = findSession(entry, Infinity)?.kind === 'free';
          const detail = `No session had a free slot in its window within ${timeoutMs} ms.`;
          waiter.finish({ kind: isBound ? 'busy' : 'unbound', detail });
        }, timeoutMs);
        entry.waiters.add(waiter);
        // Those before it may wait for something else.
        serveWaiters(entry);
      });
    },

    /** Returns a session of the account that can send, or the reason why there is none. */
    find(account: ProviderAccount): SmppSession | Exclude<TakeOutcome, { kind: 'taken' }> {
      const entry = entries.get(keyOf(account));
      if (entry === undefined) return NO_SESSION;
      const found = findSession(entry, Infinity);
      return found?.kind === 'free' ? found.session : (found ?? NO_SESSION);
    },

    /** Records whether the next part of a message is throttled, of which earlier ones were accepted. */
    setThrottled(account: ProviderAccount, message: object, isThrottled: boolean): void {
      const entry = entries.get(keyOf(account));
      if (entry === undefined) return;
      if (isThrottled) entry.throttled.add(message);
      else if (entry.throttled.delete(message)) serveWaiters(entry);
    },

    add(account: ProviderAccount, session: SmppSession): void {
      const key = keyOf(account);
      const entry = entries.get(key) ?? {
        sessions: new Set(),
        waiters: new Set(),
        throttled: new Set(),
      };
      entry.sessions.add(session);
      entries.set(key, entry);
    },

    remove(account: ProviderAccount, session: SmppSession): void {
      const key = keyOf(account);
      const entry = entries.get(key);
      if (entry === undefined || !entry.sessions.delete(session)) return;
      serveWaiters(entry);
      if (entry.sessions.size === 0) entries.delete(key);
    },

    /** Must be called when the ability of a session of the account to send may have changed. */
    update(account: ProviderAccount): void {
      const entry = entries.get(keyOf(account));
      if (entry !== undefined) serveWaiters(entry);
    },

    list: (): SmppSession[] => [...entries.values()].flatMap(({ sessions }) => [...sessions]),
  };
}

const NO_SESSION: Exclude<TakeOutcome, { kind: 'taken' }> = {
  kind: 'unbound',
  detail: 'This process has no session with the SMSC.',
};

/** Two workspaces may name the same account, but only one of them may know its password. */
function keyOf({ vendorAccountId: id, secret }: ProviderAccount): string {
  return `${id}\n${secret}`;
}

/**
 * Returns the session with the fewest messages in flight, null if all windows are full or the next bind is
 * being opened, or why none can send.
 */
function findSession(
  { sessions }: Entry,
  window: number,
): { kind: 'free'; session: SmppSession } | Exclude<TakeOutcome, { kind: 'taken' }> | null {
  let best: SmppSession | null = null;
  for (const session of sessions) {
    if (session.canSend && (best === null || session.inFlight < best.inFlight)) best = session;
  }
  if (best !== null) return best.inFlight < window ? { kind: 'free', session: best } : null;
  if ([...sessions].some(({ isResuming }) => isResuming)) return null;
  const states = [...sessions].map(({ state }) => state);
  const refused = states.find(({ kind }) => kind === 'refused');
  if (refused?.kind === 'refused') return refused;
  const failed = states.find((state) => state.kind === 'connecting' && state.detail !== null);
  const detail = failed?.kind === 'connecting' ? failed.detail : null;
  return detail === null ? NO_SESSION : { kind: 'unbound', detail };
}
