import type { Message } from './message.ts';

export interface MessageFilter {
  to: string;
  from: string;
  /** A half-open range of the time of sending, or of creation for unsent messages. Milliseconds. */
  sentFrom: number;
  sentBefore: number;
}

export type MessageStore = ReturnType<typeof createMessageStore>;

/** Stores messages by SID, and in order of creation by account and recipient. */
export function createMessageStore() {
  const bySid = new Map<string, Message>();
  const byAccount = new Map<string, Message[]>();
  const byRecipient = new Map<string, Message[]>();

  return {
    add(message: Message): void {
      bySid.set(message.sid, message);
      pushTo(byAccount, message.accountSid, message);
      pushTo(byRecipient, `${message.accountSid}${message.to}`, message);
    },

    find(accountSid: string, sid: string): Message | null {
      const message = bySid.get(sid);
      return message?.accountSid === accountSid ? message : null;
    },

    findBySid(sid: string): Message | null {
      return bySid.get(sid) ?? null;
    },

    /** Yields messages, newest first. Starts after the message `after` if it is given. */
    *list(accountSid: string, filter: MessageFilter, after: string | null): Generator<Message> {
      const candidates =
        filter.to === '' ? byAccount.get(accountSid) : byRecipient.get(`${accountSid}${filter.to}`);
      if (candidates === undefined) return;
      const last = after === null ? undefined : bySid.get(after);
      const end = last === undefined ? candidates.length : candidates.lastIndexOf(last);
      for (let i = end - 1; i >= 0; i -= 1) {
        const message = candidates[i];
        if (message !== undefined && matches(message, filter)) yield message;
      }
    },

    all(): Iterable<Message> {
      return bySid.values();
    },

    clear(): void {
      bySid.clear();
      byAccount.clear();
      byRecipient.clear();
    },
  };
}

/** Keeps the order of creation: an inbound message may be added later than it was received. */
function pushTo(index: Map<string, Message[]>, key: string, message: Message): void {
  const list = index.get(key);
  if (list === undefined) {
    index.set(key, [message]);
    return;
  }
  const before = list.findLastIndex(({ createdAt }) => createdAt <= message.createdAt);
  list.splice(before + 1, 0, message);
}

function matches(message: Message, filter: MessageFilter): boolean {
  if (filter.from !== '' && message.from !== filter.from) return false;
  // Twilio stores times in whole seconds.
  const sent = Math.floor((message.sentAt ?? message.createdAt) / 1000) * 1000;
  return sent >= filter.sentFrom && sent < filter.sentBefore;
}
