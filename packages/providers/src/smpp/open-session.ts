import { setTimeout as delay } from 'node:timers/promises';

import type {
  ProviderAccount,
  ProviderSession,
  ProviderSessionState,
  SessionReceiver,
} from '@switchboard/core';
import type { Pdu, PduContent, RequestResult } from '@switchboard/smpp';

import type { SmppSettings } from './credentials.ts';
import { type Link, type LinkOptions, openLink } from './link.ts';
import { createReceiveDeliver } from './receive-deliver.ts';

export interface SmppSession extends ProviderSession {
  readonly receiver: SessionReceiver;
  readonly isHeld: () => boolean;
  /** Messages may be written now. */
  readonly canSend: boolean;
  /** Messages may be written soon: the last bind worked, and the next one is being opened. */
  readonly isResuming: boolean;
  /** The messages that have a slot in the window. */
  readonly inFlight: number;
  takePlace(): void;
  releasePlace(): void;
  request(pdu: PduContent, timeoutMs: number, onLate?: (pdu: Pdu) => void): Promise<RequestResult>;
}

export interface SessionOptions extends Pick<LinkOptions, 'openConnection' | 'timings'> {
  account: ProviderAccount;
  settings: SmppSettings;
  receiver: SessionReceiver;
  isHeld(): boolean;
  /** Called when `canSend` may have changed. */
  onChange(): void;
}

/** Opens the bind of an account, or its two binds, and keeps them open. */
export function openSession(options: SessionOptions): SmppSession {
  const { account, settings, receiver, isHeld } = options;
  const deliveries = createReceiveDeliver(account, settings, receiver);
  let isClosing = false;
  let inFlight = 0;
  let onEmpty = (): void => undefined;
  let reported = '';

  const roles =
    settings.bind === 'transceiver'
      ? (['transceiver'] as const)
      : (['transmitter', 'receiver'] as const);
  const links: Link[] = [];
  for (const role of roles) {
    links.push(
      openLink({
        openConnection: options.openConnection,
        timings: options.timings,
        settings,
        role,
        onDeliver: deliveries.receive,
        onStateChange,
      }),
    );
  }
  const [sender] = links;

  function stateNow(): ProviderSessionState {
    if (isClosing) return { kind: 'closed' };
    const others = links.filter(({ state }) => state.kind !== 'bound');
    const worst = others.find(({ state }) => state.kind === 'refused') ?? others[0];
    return worst?.state ?? { kind: 'bound' };
  }

  function onStateChange(): void {
    const state = stateNow();
    const text = JSON.stringify(state);
    if (text !== reported) receiver.onStateChange(state);
    reported = text;
    options.onChange();
  }

  return {
    receiver,
    isHeld,

    get state() {
      return stateNow();
    },

    get canSend() {
      return !isClosing && sender?.state.kind === 'bound';
    },

    get isResuming() {
      return !isClosing && sender?.isResuming === true;
    },

    get inFlight() {
      return inFlight;
    },

    takePlace() {
      inFlight += 1;
    },

    releasePlace() {
      inFlight -= 1;
      if (inFlight === 0) onEmpty();
    },

    async request(pdu, timeoutMs, onLate) {
      return sender === undefined
        ? { type: 'not_written' }
        : sender.request(pdu, timeoutMs, onLate);
    },

    async close(graceMs) {
      const deadline = performance.now() + graceMs;
      const restMs = (): number => Math.max(0, deadline - performance.now());
      isClosing = true;
      onStateChange();
      if (graceMs > 0) {
        const empty = new Promise<void>((resolve) => {
          onEmpty = resolve;
          if (inFlight === 0) resolve();
        });
        await within(restMs(), empty.then(deliveries.idle));
      }
      await Promise.all(links.map((link) => link.close(restMs())));
    },
  };
}

/** Resolves when the work or the time has ended. */
async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([
    work,
    delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined),
  ]);
  timer.abort();
}
