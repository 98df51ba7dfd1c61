import { setTimeout as delay } from 'node:timers/promises';

import type { ProviderSessionState } from '@switchboard/core';
import {
  type MessagePdu,
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
  /** Handles a deliver_sm, and responds when it is stored. */
  onDeliver(pdu: MessagePdu, session: Session): void;
  onStateChange(): void;
};

/** One bind, which connects again until it is closed. */
export interface Link {
  readonly role: BindRole;
  readonly state: ProviderSessionState;
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
  const released = new WeakSet<Session>();

  function setState(next: ProviderSessionState): void {
    state = next;
    options.onStateChange();
  }

  function handle(pdu: Pdu, from: Session): void {
    switch (pdu.command) {
      case 'deliver_sm':
        // No response could be written, so the SMSC delivers it again.
        if (released.has(from)) return;
        return options.onDeliver(pdu, from);
      case 'unbind':
        from.respond({ command: 'unbind_resp', status: STATUS.ESME_ROK }, pdu.sequence);
        return stopSending(from);
      default:
        return from.respond(
          { command: 'generic_nack', status: STATUS.ESME_RINVCMDID },
          pdu.sequence,
        );
    }
  }

  /** Sends nothing more. Responses to what was sent may arrive until the SMSC closes the connection. */
  function stopSending(from: Session): void {
    isUnbound = true;
    released.add(from);
    if (!closing.signal.aborted) {
      setState({ kind: 'connecting', detail: 'The SMSC has ended the bind.' });
    }
    from.end();
    setTimeout(() => from.destroy(), timings.bindTimeoutMs).unref();
  }

  /** Binds once and returns when the bind has ended. */
  async function holdBind(): Promise<{ wasRefused: boolean; heldForMs: number }> {
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
    if (closing.signal.aborted && outcome.kind === 'bound') outcome.session.destroy();
    if (closing.signal.aborted) return { wasRefused: false, heldForMs: 0 };
    if (outcome.kind !== 'bound') {
      const wasRefused = outcome.kind === 'refused';
      setState({ kind: wasRefused ? 'refused' : 'connecting', detail: outcome.detail });
      return { wasRefused, heldForMs: 0 };
    }
    const since = performance.now();
    isUnbound = false;
    session = outcome.session;
    setState({ kind: 'bound' });
    const stopChecks = checkConnection(session, timings);
    await closed;
    stopChecks();
    session = null;
    if (!closing.signal.aborted) {
      setState({ kind: 'connecting', detail: 'The connection to the SMSC ended.' });
    }
    return { wasRefused: false, heldForMs: performance.now() - since };
  }

  async function keepOpen(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const { wasRefused, heldForMs } = await holdBind();
      if (heldForMs > timings.longestPauseMs) failures = 0;
      failures += 1;
      await pause(pauseMs(failures, wasRefused, timings), closing.signal);
    }
  }

  const ended = keepOpen();

  return {
    role,

    get state() {
      return state;
    },

    request(pdu, timeoutMs, onLate) {
      return session === null || isUnbound
        ? Promise.resolve({ type: 'not_written' })
        : session.request(pdu, timeoutMs, onLate);
    },

    async close(timeoutMs) {
      closing.abort();
      setState({ kind: 'closed' });
      if (timeoutMs > 0 && !isUnbound) {
        await session?.request({ command: 'unbind' }, Math.min(timeoutMs, timings.unbindTimeoutMs));
      }
      session?.destroy();
      await ended;
    },
  };
}

/** Half of the pause is random, so that workers do not connect at the same time. */
function pauseMs(failures: number, wasRefused: boolean, timings: Timings): number {
  const { firstPauseMs, longestPauseMs, refusedPauseMs } = timings;
  const whole = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20));
  return (wasRefused ? refusedPauseMs : whole) * (0.5 + Math.random() / 2);
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
    const isIdle = bytesReceived === lastBytes;
    lastBytes = bytesReceived;
    if (isIdle) void enquire(session, timings.enquireTimeoutMs);
  }, timings.enquireLinkMs);
  return () => clearInterval(timer);
}

async function enquire(session: Session, timeoutMs: number): Promise<void> {
  const result = await session.request({ command: 'enquire_link' }, timeoutMs);
  if (result.type !== 'response') session.destroy();
}
