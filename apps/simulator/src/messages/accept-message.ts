import { randomBytes } from 'node:crypto';
import type { Journal } from '../ledger/journal.ts';
import type { PhoneStore } from '../phones/phone-store.ts';
import type { MessageFeed } from '../phones/message-feed.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { MessageStore } from './message-store.ts';
import type { Message } from './message.ts';

export interface Draft extends Omit<
  Message,
  'sid' | 'errorCode' | 'createdAt' | 'updatedAt' | 'sentAt'
> {
  /** Default: an identifier in Twilio's format. */
  sid?: string;
  /** How long ago an inbound message was received. Default 0. */
  receivedAgoMs?: number;
}

export type AcceptMessage = (draft: Draft) => Promise<Message>;

/**
 * Accepts an outbound or inbound message. The journal is written before the message is visible. If
 * the write fails, the returned promise rejects and the message is not accepted.
 */
export function createAcceptMessage(
  journal: Journal,
  messages: MessageStore,
  lifecycle: Pick<Lifecycle, 'start'>,
  phones: Pick<PhoneStore, 'find'>,
  feed: Pick<MessageFeed, 'publish'>,
): AcceptMessage {
  return async function acceptMessage({ receivedAgoMs = 0, ...draft }) {
    const now = Date.now() - receivedAgoMs;
    const isInbound = draft.direction === 'inbound';
    const treatment = phones.find(draft.to);
    const message: Message = {
      sid: `${draft.mediaUrls.length > 0 ? 'MM' : 'SM'}${randomBytes(16).toString('hex')}`,
      ...draft,
      errorCode: null,
      createdAt: now,
      updatedAt: now,
      sentAt: isInbound ? now : null,
      ...(!isInbound && treatment.treatment !== 'delivered' && { treatment }),
    };
    await journal.append({ type: 'message', message });
    messages.add(message);
    lifecycle.start(message);
    // Who accepts an inbound message first starts its delivery, which is part of what listeners receive.
    if (!isInbound) feed.publish(message);
    return message;
  };
}
