import { setTimeout as delay } from 'node:timers/promises';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Faults } from '../behaviour/faults.ts';
import { type Message, providerOf } from '../messages/message.ts';

/** A shuffled callback is delayed up to this long, while later ones are sent. */
const MAX_SHUFFLE_MS = 600;

/** Sends a callback, with the retries of its provider. Never rejects. */
type Send = () => Promise<unknown>;

export type StatusCallbacks = ReturnType<typeof createStatusCallbacks>;

export function createStatusCallbacks(
  /** Prepares the callback for the current status; null if the provider sends none for it. */
  toCallback: (message: Message) => Send | null,
  behaviour: Pick<BehaviourStore, 'current'>,
  faults: Pick<Faults, 'strikes' | 'draw'>,
) {
  // The last pending callback of each message. The next one is sent after it.
  let tails = new Map<string, Promise<void>>();

  /** `DELETE /simulator/ledger` replaces `tails`. Callbacks that wait in the old map are dropped. */
  async function deliver(send: Send, times: number, dueAt: number, owner: typeof tails) {
    const waitMs = dueAt - Date.now();
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    for (let i = 0; i < times && owner === tails; i += 1) await send();
  }

  return {
    /** Sends the current status of the message, if its provider sends it. */
    announce(message: Message): void {
      // Prepared now, because the status may have changed by the time the callback is sent.
      const send = toCallback(message);
      if (send === null) return;
      const now = behaviour.current(providerOf(message));
      const key = `${message.faultKey}:${message.status}`;
      if (faults.strikes('callback_drop', key, now.callback_drop)) return;
      const times = faults.strikes('callback_duplicate', key, now.callback_duplicate) ? 2 : 1;
      const dueAt = Date.now() + now.callback_delay_ms;
      const owner = tails;
      if (faults.strikes('callback_shuffle', key, now.callback_shuffle)) {
        const holdMs = faults.draw('hold', key) * MAX_SHUFFLE_MS;
        void deliver(send, times, dueAt + holdMs, owner);
        return;
      }
      const before = owner.get(message.sid) ?? Promise.resolve();
      const mine = before.then(async () => {
        await deliver(send, times, dueAt, owner);
        if (owner.get(message.sid) === mine) owner.delete(message.sid);
      });
      owner.set(message.sid, mine);
    },

    /** Drops the pending callbacks. */
    forget(): void {
      tails = new Map();
    },
  };
}
