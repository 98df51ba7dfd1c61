import type { WebhookResult } from '../callbacks/webhook-sender.ts';
import type { JournalRecord } from '../ledger/journal.ts';
import type { Message } from '../messages/message.ts';
import { createBind } from './bind.ts';
import { formatInbound, formatReceipts } from './format-deliver.ts';
import { createHandleSubmit } from './handle-submit.ts';
import { createOutbox } from './outbox.ts';
import { createPartStore } from './part-store.ts';
import { createSmsc } from './smsc.ts';

type Dependencies = Omit<Parameters<typeof createHandleSubmit>[0], 'parts'> & {
  accounts: Parameters<typeof createBind>[0];
  onError(cause: unknown): void;
};

/** Like the HTTP vendors, the simulator stops retrying an inbound message after 15 seconds. */
const INBOUND_GIVE_UP_MS = 15_000;

/** Creates the SMPP provider: the handler of its port, receipts and received messages. */
export function openSmpp() {
  const outbox = createOutbox();
  const parts = createPartStore();
  let lastReference = 0;

  return {
    /** Creates the handler of the connections of its port. */
    createHandler({ accounts, onError, ...dependencies }: Dependencies) {
      const bind = createBind(accounts, dependencies.journal);
      const handleSubmit = createHandleSubmit({ ...dependencies, parts });
      return createSmsc({ bind, outbox, handleSubmit, onError });
    },

    replay: (record: Extract<JournalRecord, { type: 'smpp_part' }>): void => parts.replay(record),

    /** Prepares the receipts for the current status of a message; null if it has none. */
    toReceipts(message: Message): (() => Promise<unknown>) | null {
      const receipts = formatReceipts(message);
      if (receipts.length === 0) return null;
      return () => Promise.all(receipts.map((pdu) => outbox.deliver(message.accountSid, pdu)));
    },

    /** Sends a received message over a bind of the account, and waits for its response. */
    async deliver(message: Message): Promise<WebhookResult> {
      lastReference = (lastReference + 1) % 256;
      const results = await Promise.all(
        formatInbound(message, lastReference).map((pdu) =>
          outbox.deliver(message.accountSid, pdu, INBOUND_GIVE_UP_MS),
        ),
      );
      const failed = results.find(({ isDelivered }) => !isDelivered);
      return {
        status: failed === undefined ? 200 : null,
        twiml: '',
        attempts: Math.max(...results.map(({ attempts }) => attempts)),
        error: failed?.error ?? null,
      };
    },

    /** Drops undelivered PDUs. */
    forget: (): void => outbox.clear(),

    clear(): void {
      outbox.clear();
      parts.clear();
    },
  };
}
