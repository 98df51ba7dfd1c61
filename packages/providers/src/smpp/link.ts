import { setTimeout as delay } from 'node:timers/promises';

import type { ProviderSessionState } from '@switchboard/core';
import {
  type DeliveredPdu,
  type Pdu,
  type PduContent,
  type RequestResult,
  STATUS,
  type Session,
} from '@switchboard/smpp';

import { type BindOptions, type BindRole, bind } from './bind.ts';
import type { Timings } from './timings.ts';

export type LinkOptions = Pick<BindOptions, 'openConnection' | 'settings' | 'role'> & {
  timings: Timings;
  /** Handles a deliver_sm or data_sm, and resolves after the response, which is sent when it is stored. */
  onDeliver(pdu: DeliveredPdu, session: Session): Promise<void>;
  onStateChange(): void;
};

/** The end of a bind, or of an attempt to bind. */
type BindResult =
  /** A message was accepted over it, or it lasted long: the next one is opened at once. */
  | 'worked'
  | 'failed'
  | 'refused'
  /** The SMSC used more of this process than its budget. */
  | 'exceeded';

/** One bind, which connects again until it is closed. */
export interface Link {
  readonly role: BindRole;
  readonly state: ProviderSessionState;
  /** The last bind worked, and the next one is being opened: messages may wait for it. */
  readonly isResuming: boolean;
  /** Writes the request synchronously; `not_written` if the link is not bound. */
  request(pdu: PduContent, timeoutMs: number, onLate?: (pdu: Pdu) => void): Promise<RequestResult>;
  /**
   * Unbinds and closes the connection, within the time. With 0, closes the connection immediately.
   */
  close(timeoutMs: number): Promise<void>;
}

export function openLink(options: LinkOptions): Link {
  const { openConnection, settings, role, timings } = options;
  const closing = new AbortController();
  let state: ProviderSessionState = { kind: 'connecting', detail: null };
  let session: Session | null = null;
  let isUnbound = false;
  let isResuming = false;
  /** Binds over which a message was accepted, in either direction. */
  const productive = new WeakSet<Session>();
  const ended = new WeakSet<Session>();

  function setState(next: ProviderSessionState): void {
    state = next;
    options.onStateChange();
  }

  function handle(pdu: Pdu, from: Session): Promise<void> | null {
    switch (pdu.command) {
      case 'deliver_sm':
      case 'data_sm':
        return deliver(pdu, from);
      case 'unbind':
        void endUnbound(from, pdu.sequence);
        return null;
      default:
        from.respond({ command: 'generic_nack', status: STATUS.ESME_RINVCMDID }, pdu.sequence);
        return null;
    }
  }

  async function deliver(pdu: DeliveredPdu, from: Session): Promise<void> {
    // No response could be written, so the SMSC delivers it again.
    if (ended.has(from)) return;
    await options.onDeliver(pdu, from);
    recordProgress(from);
  }

  function recordProgress(used: Session): void {
    productive.add(used);
    if (used !== session || !isUnbound || isResuming) return;
    // The response arrived with the unbind or after it.
    isResuming = true;
    options.onStateChange();
  }

  /**
   * Sends nothing more. Some SMSCs close the connection when they get the response to their unbind or the
   * end of our side, so both wait for the responses to what was sent. Others respond only after they
   * have got the response to their unbind.
   */
  async function endUnbound(from: Session, sequence: number): Promise<void> {
    if (isUnbound) return;
    isUnbound = true;
    if (!closing.signal.aborted) {
      isResuming = productive.has(from);
      setState({ kind: 'connecting', detail: 'The SMSC has ended the bind.' });
    }
    await from.idle(timings.unboundGraceMs);
    from.respond({ command: 'unbind_resp', status: STATUS.ESME_ROK }, sequence);
    await from.idle(timings.bindTimeoutMs);
    ended.add(from);
    from.end();
    setTimeout(() => from.destroy(), timings.bindTimeoutMs).unref();
  }

  /** Binds once and returns, when the bind has ended, what it was good for. */
  async function holdBind(): Promise<BindResult> {
    let onClose = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const outcome = await bind({
      openConnection,
      settings,
      role,
      timeoutMs: timings.bindTimeoutMs,
      signal: closing.signal,
      onRequest: handle,
      onClose,
    });
    isResuming = false;
    if (closing.signal.aborted && outcome.kind === 'bound') outcome.session.destroy();
    if (closing.signal.aborted) return 'failed';
    if (outcome.kind !== 'bound') {
      const kind = outcome.kind === 'refused' ? 'refused' : 'connecting';
      setState({ kind, detail: outcome.detail });
      return outcome.kind;
    }
    const since = performance.now();
    const bound = outcome.session;
    isUnbound = false;
    session = bound;
    setState({ kind: 'bound' });
    const stopChecks = checkConnection(bound, timings);
    await closed;
    stopChecks();
    session = null;
    const isOld = performance.now() - since > timings.longestPauseMs;
    const hasWorked = bound.excess === null && (isOld || productive.has(bound));
    if (!closing.signal.aborted) {
      isResuming = hasWorked;
      const detail = bound.excess ?? 'The connection to the SMSC ended.';
      setState({ kind: 'connecting', detail });
    }
    if (bound.excess !== null) return 'exceeded';
    return hasWorked ? 'worked' : 'failed';
  }

  async function keepOpen(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const result = await holdBind();
      failures = result === 'worked' ? 1 : failures + 1;
      await pause(pauseMs(failures, result, timings), closing.signal);
    }
  }

  const closed = keepOpen();

  return {
    role,

    get state() {
      return state;
    },

    get isResuming() {
      return isResuming;
    },

    async request(pdu, timeoutMs, onLate) {
      const used = session;
      if (used === null || isUnbound) return { type: 'not_written' };
      const result = await used.request(pdu, timeoutMs, onLate);
      const isAccepted = result.type === 'response' && result.pdu.status === STATUS.ESME_ROK;
      if (isAccepted && pdu.command === 'submit_sm') recordProgress(used);
      return result;
    },

    async close(timeoutMs) {
      closing.abort();
      isResuming = false;
      setState({ kind: 'closed' });
      if (timeoutMs > 0 && !isUnbound) {
        await session?.request({ command: 'unbind' }, Math.min(timeoutMs, timings.unbindTimeoutMs));
      }
      session?.destroy();
      await closed;
    },
  };
}

/** Half of the pause is random, so that workers do not connect at the same time. */
function pauseMs(failures: number, result: BindResult, timings: Timings): number {
  return wholePauseMs(failures, result, timings) * (0.5 + Math.random() / 2);
}

function wholePauseMs(failures: number, result: BindResult, timings: Timings): number {
  const { firstPauseMs, longestPauseMs, refusedPauseMs } = timings;
  switch (result) {
    case 'refused':
      return refusedPauseMs;
    case 'exceeded':
      return longestPauseMs;
    case 'failed':
    case 'worked':
      return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20));
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // Rejects only when the link is closed.
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Sends enquire_link while nothing arrives, and closes a connection on which no response arrives.
 */
function checkConnection(session: Session, timings: Timings): () => void {
  let lastBytes = session.bytesReceived;
  const timer = setInterval(() => {
    const { bytesReceived } = session;
    // Nothing arrives either while nothing is read.
    const isIdle = bytesReceived === lastBytes && !session.isBehind;
    lastBytes = bytesReceived;
    if (isIdle) void enquire(session, timings.enquireTimeoutMs);
  }, timings.enquireLinkMs);
  return () => clearInterval(timer);
}

async function enquire(session: Session, timeoutMs: number): Promise<void> {
  const result = await session.request({ command: 'enquire_link' }, timeoutMs);
  if (result.type !== 'response' && !session.isBehind) session.destroy();
}
