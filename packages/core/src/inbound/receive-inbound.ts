import { OWN_WORD_MAX_CHARACTERS, findKeyword, type Keyword } from '../keywords/find-keyword.ts';
import { normalizeKeyword } from '../keywords/normalize-keyword.ts';
import { suspectsOptOut } from '../keywords/suspect-opt-out.ts';
import { isUnreadNumber } from '../numbers/unread-number.ts';
import { isPhoneNumber } from '../phone-number.ts';
import type { BusNotification } from '../ports/event-bus.ts';
import type { DispatchHint } from '../ports/message-queue.ts';
import type { InboundMessage } from '../ports/inbound-message.ts';
import type { AccountAddress } from '../ports/provider-account.ts';
import type { ReportProblem } from '../ports/provider-session.ts';
import { createUuidV7 } from '../uuid-v7.ts';
import { DEFAULT_KEYWORD_REPLIES } from './default-keyword-replies.ts';

/** A received message as it is stored. */
export interface ReceivedMessage extends Pick<
  InboundMessage,
  'to' | 'from' | 'body' | 'media' | 'segments'
> {
  /** UUIDv7; its time is `createdAt`. */
  id: string;
  createdAt: Date;
  /**
   * Found in the provider's list: `createdAt` is the provider's time of receipt, and opt-outs and
   * opt-ins that followed may be stored already.
   */
  isLate: boolean;
  workspaceId: string;
  providerId: string;
  /** With `providerSid`, its name at the vendor. */
  vendorAccountId: string;
  providerSid: string;
  requestId: string;
  /** The trace context of its receipt, in W3C format. */
  traceParent: string | null;
}

export interface ReceivedKeyword {
  keyword: Keyword;
  /** Only the provider recognized it. The same message from its list has no keyword. */
  isCustom: boolean;
  /** Null if no reply may be sent. */
  reply: {
    id: string;
    /** The text of the reply, unless the workspace has its own. */
    defaultText: string;
  } | null;
}

/** What a received text requests. */
export interface ReadText {
  keyword: ReceivedKeyword | null;
  /**
   * The normalized text, which may be a word of the workspace's own, and what it requests then; null if it
   * cannot be one.
   */
  own: { word: string; toReceived(keyword: Keyword): ReceivedKeyword } | null;
  /** A member should decide whether the text is an opt-out. */
  isSuspected: boolean;
}

export interface Received {
  seq: number;
  /** The stored reply to a keyword; null if there is none. */
  reply: { id: string; seq: number } | null;
  /** A limit or a sending rule forbids the reply to the keyword. */
  isReplyWithheld: boolean;
  /** The conversation is marked as a suspected opt-out. */
  isSuspected: boolean;
}

/** How a message reached the service. */
export interface Arrival extends AccountAddress {
  /** Measured by the database's clock. */
  now: number;
  /** The provider's time of receipt, by the same clock; null for a message that arrives now. */
  listedAt: number | null;
  requestId: string;
  traceParent: string | null;
  log: { info(fields: object, message: string): void };
}

export interface ReceiveInboundDependencies {
  /** Returns null for a message that is already stored. */
  store(message: ReceivedMessage, text: ReadText): Promise<Received | null>;
  publishLater(notification: BusNotification): void;
  hintLater(hint: DispatchHint, traceParent: string | null): void;
  reportProblem: ReportProblem;
}

/**
 * Stores a received message with its event, its opt-out or opt-in, and its keyword reply. Used for
 * the provider's webhooks and for messages found in its list.
 *
 * @returns the id of the new message, or null if the message is already stored
 */
export type ReceiveInbound = (inbound: InboundMessage, arrival: Arrival) => Promise<string | null>;

export function createReceiveInbound(dependencies: ReceiveInboundDependencies): ReceiveInbound {
  return async function receiveInbound(inbound, arrival) {
    const { workspaceId, providerId, now, listedAt, requestId, traceParent, log } = arrival;
    const receivedAt = listedAt ?? now;
    const id = createUuidV7(receivedAt);
    const { to, from, media, segments } = inbound;
    const body = joinSubject(inbound);
    const message: ReceivedMessage = {
      id,
      createdAt: new Date(receivedAt),
      isLate: listedAt !== null,
      workspaceId,
      to,
      from,
      body,
      media,
      segments,
      providerId,
      vendorAccountId: inbound.vendorAccountId,
      providerSid: inbound.sid,
      requestId,
      traceParent,
    };
    const received = await dependencies.store(
      message,
      readText(inbound, receivedAt, message.isLate),
    );
    if (received === null) return null;
    const unread = [from, to].find(isUnreadNumber);
    if (unread !== undefined) {
      dependencies.reportProblem(
        { workspaceId, providerId },
        { kind: 'unread_number', example: unread },
      );
    }
    dependencies.publishLater({ kind: 'message', workspaceId, messageId: id, seq: received.seq });
    if (received.reply !== null) {
      const { id: messageId, seq } = received.reply;
      dependencies.publishLater({ kind: 'message', workspaceId, messageId, seq });
      dependencies.hintLater({ messageId, workspaceId, requestId }, traceParent);
    }
    if (received.isSuspected) {
      dependencies.publishLater({ kind: 'inbox', workspaceId, number: from, noteId: null });
    }
    if (received.isReplyWithheld) {
      log.info({ workspace_id: workspaceId, message_id: id }, 'keyword reply withheld');
    }
    return id;
  };
}

/** Returns the text with the subject as its first line. Some phones write the text into the subject, too. */
function joinSubject({ subject = null, body }: InboundMessage): string {
  if (subject === null || body.split('\n', 1)[0]?.trim() === subject) return body;
  return body === '' ? subject : `${subject}\n${body}`;
}

function readText(inbound: InboundMessage, receivedAt: number, isLate: boolean): ReadText {
  const { providerKeyword, from } = inbound;
  // A subject must not hide a keyword in the text.
  const body = inbound.body.trim() === '' ? (inbound.subject ?? '') : inbound.body;
  // If the provider recognized a keyword, it has replied. Its list does not show whether it has. A
  // sender without a phone number, for example a short name, cannot receive messages.
  const mayReply = !isLate && providerKeyword === null && isPhoneNumber(from);
  const toReceived = (keyword: Keyword, isCustom: boolean): ReceivedKeyword => {
    const reply = { id: createUuidV7(receivedAt), defaultText: DEFAULT_KEYWORD_REPLIES[keyword] };
    return { keyword, isCustom, reply: mayReply ? reply : null };
  };
  const normalized = normalizeKeyword(body);
  const builtIn = findKeyword(normalized);
  const isDecided = providerKeyword !== null && providerKeyword !== 'unknown';
  const keyword = isDecided ? providerKeyword : builtIn;
  const mayBeOwn = normalized !== '' && normalized.length <= OWN_WORD_MAX_CHARACTERS;
  return {
    keyword: keyword === null ? null : toReceived(keyword, keyword !== builtIn),
    own:
      keyword === null && mayBeOwn
        ? { word: normalized, toReceived: (own) => toReceived(own, false) }
        : null,
    isSuspected: keyword === null && suspectsOptOut(joinSubject(inbound)),
  };
}
