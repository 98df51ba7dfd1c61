import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountStore } from '../accounts/account-store.ts';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Faults } from '../behaviour/faults.ts';
import { errorMessageOf } from '../messages/magic-numbers.ts';
import type { Message } from '../messages/message.ts';
import { splitOverrides } from './connection-overrides.ts';
import type { Webhook, WebhookSender } from './webhook-sender.ts';

/** A shuffled callback is delayed up to this long, while later ones are sent. */
const MAX_SHUFFLE_MS = 600;

export type StatusCallbacks = ReturnType<typeof createStatusCallbacks>;

export function createStatusCallbacks(
  sender: WebhookSender,
  accounts: Pick<AccountStore, 'get'>,
  behaviour: Pick<BehaviourStore, 'current'>,
  faults: Pick<Faults, 'strikes' | 'draw'>,
) {
  // The last pending callback of each message. The next one is sent after it.
  let tails = new Map<string, Promise<void>>();

  /** DELETE of the ledger replaces `tails`. Callbacks that wait in the old map are dropped. */
  async function deliver(webhook: Webhook, times: number, dueAt: number, owner: typeof tails) {
    const waitMs = dueAt - Date.now();
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    const idempotencyToken = randomUUID();
    for (let i = 0; i < times && owner === tails; i += 1) {
      await sender.send(webhook, idempotencyToken);
    }
  }

  return {
    /** Sends the current status of the message to its status callback URL, if it has one. */
    announce(message: Message): void {
      if (message.statusCallback === null) return;
      const now = behaviour.current();
      const key = `${message.faultKey}:${message.status}`;
      if (faults.strikes('callback_drop', key, now.callback_drop)) return;
      const times = faults.strikes('callback_duplicate', key, now.callback_duplicate) ? 2 : 1;
      const webhook: Webhook = {
        ...splitOverrides(message.statusCallback),
        method: 'POST',
        // Built now: the status may have changed when the callback is sent.
        fields: fieldsOf(message),
        token: accounts.get(message.accountSid).token,
      };
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

function fieldsOf(message: Message): Record<string, string> {
  const { sid, status, errorCode, messagingServiceSid } = message;
  const errorMessage = errorMessageOf(errorCode);
  return {
    AccountSid: message.accountSid,
    ApiVersion: '2010-04-01',
    From: message.from ?? '',
    MessageSid: sid,
    MessageStatus: status,
    SmsSid: sid,
    SmsStatus: status,
    To: message.to,
    ...(errorCode !== null && { ErrorCode: String(errorCode) }),
    ...(errorMessage !== null && { ErrorMessage: errorMessage }),
    ...(messagingServiceSid !== null && { MessagingServiceSid: messagingServiceSid }),
    ...(status === 'delivered' && { RawDlrDoneDate: formatDlrDate(message.updatedAt) }),
  };
}

/** Formats a time as in a delivery receipt, YYMMDDhhmm: `2611200605`. */
function formatDlrDate(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(2, 12);
}
