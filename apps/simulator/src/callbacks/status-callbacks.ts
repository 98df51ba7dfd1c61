import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountStore } from '../accounts/account-store.ts';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Faults } from '../behaviour/faults.ts';
import { errorMessageOf } from '../messages/magic-numbers.ts';
import type { Message } from '../messages/message.ts';
import { splitOverrides } from './connection-overrides.ts';
import type { Webhook, WebhookSender } from './webhook-sender.ts';

/** A shuffled callback is held up to this long, while those after it pass. */
const LONGEST_HOLD_MS = 600;

export type StatusCallbacks = ReturnType<typeof createStatusCallbacks>;

export function createStatusCallbacks(
  sender: WebhookSender,
  accounts: Pick<AccountStore, 'get'>,
  behaviour: Pick<BehaviourStore, 'current'>,
  faults: Pick<Faults, 'strikes' | 'draw'>,
) {
  // The last callback of each message that is not through yet: the next one waits for it.
  let tails = new Map<string, Promise<void>>();

  /** After DELETE of the ledger `tails` is another map, and what waited in the old one is void. */
  async function deliver(webhook: Webhook, times: number, dueAt: number, owner: typeof tails) {
    const waitMs = dueAt - Date.now();
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    const idempotencyToken = randomUUID();
    for (let i = 0; i < times && owner === tails; i += 1) {
      await sender.send(webhook, idempotencyToken);
    }
  }

  return {
    /** Tells the status callback, if there is one, of the message's present status. */
    announce(message: Message): void {
      if (message.statusCallback === null) return;
      const now = behaviour.current();
      const key = `${message.faultKey}:${message.status}`;
      if (faults.strikes('callback_drop', key, now.callback_drop)) return;
      const times = faults.strikes('callback_duplicate', key, now.callback_duplicate) ? 2 : 1;
      const webhook: Webhook = {
        ...splitOverrides(message.statusCallback),
        method: 'POST',
        // Now, not when its turn comes: by then the message has moved on.
        fields: fieldsOf(message),
        token: accounts.get(message.accountSid).token,
      };
      const dueAt = Date.now() + now.callback_delay_ms;
      const owner = tails;
      if (faults.strikes('callback_shuffle', key, now.callback_shuffle)) {
        const holdMs = faults.draw('hold', key) * LONGEST_HOLD_MS;
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

    /** Drops the callbacks that still wait. */
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

/** `2611200605`: year, month, day, hour and minute, as a delivery receipt has them. */
function formatDlrDate(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(2, 12);
}
