import { type PduContent, type Session, STATUS, nameStatus } from '@switchboard/smpp';

export interface DeliveryResult {
  isDelivered: boolean;
  attempts: number;
  /** The last failure. */
  error: string | null;
}

interface Delivery {
  pdu: PduContent;
  attempts: number;
  error: string | null;
  isOver: boolean;
  finish(isDelivered: boolean): void;
}

interface Receiver {
  session: Session;
  inFlight: number;
}

const WINDOW = 50;
const RESPONSE_TIMEOUT_MS = 5_000;
const RETRY_PAUSE_MS = 200;

export type Outbox = ReturnType<typeof createOutbox>;

/** Delivers receipts and messages to the accounts' binds, and keeps them until one confirms. */
export function createOutbox() {
  const waiting = new Map<string, Delivery[]>();
  const receivers = new Map<string, Receiver[]>();
  const timers = new Set<NodeJS.Timeout>();

  function after(delayMs: number, work: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, delayMs);
    timers.add(timer);
    return timer;
  }

  function enqueue(accountId: string, delivery: Delivery): void {
    const queue = waiting.get(accountId);
    if (queue === undefined) waiting.set(accountId, [delivery]);
    else queue.push(delivery);
    pump(accountId);
  }

  function pump(accountId: string): void {
    const queue = waiting.get(accountId) ?? [];
    while (queue.length > 0) {
      const free = receivers.get(accountId)?.find(({ inFlight }) => inFlight < WINDOW);
      if (free === undefined) return;
      const delivery = queue.shift();
      if (delivery !== undefined && !delivery.isOver) void tryDeliver(accountId, delivery, free);
    }
  }

  async function tryDeliver(accountId: string, delivery: Delivery, receiver: Receiver) {
    receiver.inFlight += 1;
    delivery.attempts += 1;
    const result = await receiver.session.request(delivery.pdu, RESPONSE_TIMEOUT_MS);
    receiver.inFlight -= 1;
    if (result.type === 'response' && result.pdu.status === STATUS.ESME_ROK) {
      delivery.finish(true);
    } else if (!delivery.isOver) {
      delivery.error = result.type === 'response' ? nameStatus(result.pdu.status) : 'no_response';
      after(RETRY_PAUSE_MS, () => enqueue(accountId, delivery));
    }
    pump(accountId);
  }

  return {
    /** Delivers a PDU to one of the account's binds. Without `giveUpMs`, the PDU waits without limit. */
    deliver(accountId: string, pdu: PduContent, giveUpMs?: number): Promise<DeliveryResult> {
      return new Promise((resolve) => {
        const delivery: Delivery = {
          pdu,
          attempts: 0,
          error: 'no_bind',
          isOver: false,
          finish(isDelivered) {
            delivery.isOver = true;
            if (timer !== null) clearTimeout(timer);
            const error = isDelivered ? null : delivery.error;
            resolve({ isDelivered, attempts: delivery.attempts, error });
          },
        };
        const timer = giveUpMs === undefined ? null : after(giveUpMs, () => delivery.finish(false));
        enqueue(accountId, delivery);
      });
    },

    /** Adds a bind that receives. Returns a function that removes it. */
    addReceiver(accountId: string, session: Session): () => void {
      const receiver = { session, inFlight: 0 };
      receivers.set(accountId, [...(receivers.get(accountId) ?? []), receiver]);
      pump(accountId);
      return () => {
        const others = receivers.get(accountId)?.filter((each) => each !== receiver) ?? [];
        receivers.set(accountId, others);
      };
    },

    /** Drops undelivered PDUs. */
    clear(): void {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      for (const queue of waiting.values()) for (const each of queue) each.finish(false);
      waiting.clear();
    },
  };
}
