import { setTimeout as delay } from 'node:timers/promises';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Faults } from '../behaviour/faults.ts';
import { type Message, providerOf } from '../messages/message.ts';
import type { Webhook, WebhookSender } from './webhook-sender.ts';

/** A shuffled callback is delayed up to this long, while later ones are sent. */
const MAX_SHUFFLE_MS = 600;

export type StatusCallbacks = ReturnType<typeof createStatusCallbacks>;

export function createStatusCallbacks(
  sender: WebhookSender,
  /** Creates the webhook for the current status; null if the provider sends none for it. */
  toWebhook: (message: Message) => Webhook | null,
  behaviour: Pick<BehaviourStore, 'current'>,
  faults: Pick<Faults, 'strikes' | 'draw'>,
) {
  // The last pending callback of each message. The next one is sent after it.
  let tails = new Map<string, Promise<void>>();

  /** DELETE of the ledger replaces `tails`. Callbacks that wait in the old map are dropped. */
  async function deliver(webhook: Webhook, times: number, dueAt: number, owner: typeof tails) {
    const waitMs = dueAt - Date.now();
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    for (let i = 0; i < times && owner === tails; i += 1) await sender.send(webhook);
  }

  return {
    /** Sends the current status of the message to its status callback URL, if it has one. */
    announce(message: Message): void {
      if (message.statusCallback === null) return;
      // Created now: the status may have changed when the callback is sent.
      const webhook = toWebhook(message);
      if (webhook === null) return;
      const now = behaviour.current(providerOf(message));
      const key = `${message.faultKey}:${message.status}`;
      if (faults.strikes('callback_drop', key, now.callback_drop)) return;
      const times = faults.strikes('callback_duplicate', key, now.callback_duplicate) ? 2 : 1;
      const dueAt = Date.now() + now.callback_delay_ms;
      const owner = tails;
      if (faults.strikes('callback_shuffle', key, now.callback_shuffle)) {
        const holdMs = faults.draw('hold', key) * MAX_SHUFFLE_MS;
        void deliver(webhook, times, dueAt + holdMs, owner);
        return;
      }
      const before = owner.get(message.sid) ?? Promise.resolve();
      const mine = before.then(async () => {
        await deliver(webhook, times, dueAt, owner);
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
