import {
  type MessageStatus,
  type ProviderAccount,
  type SessionInbound,
  type DeliveryProblem,
  type StatusCallback,
  countSegments,
} from '@switchboard/core';
import {
  type DeliveredPdu,
  type Receipt,
  type ReceiptState,
  decodeText,
  formatTextPart,
  readReceipt,
  readShortMessage,
  readText,
} from '@switchboard/smpp';

import { contextOf } from '../numbers/read-number.ts';
import { parseAddress } from './address.ts';
import type { SmppSettings } from './credentials.ts';
import { readMessageId, toExpectedKey } from './message-id.ts';

export type Delivered =
  | { kind: 'status'; callback: StatusCallback; problem: DeliveryProblem | null }
  | { kind: 'inbound'; inbound: SessionInbound }
  /** A receipt that does not name its message, or a message without its addresses. */
  | { kind: 'unreadable'; problem: DeliveryProblem };

const STATUSES: Record<ReceiptState, MessageStatus> = {
  SCHEDULED: 'sent',
  ENROUTE: 'sent',
  ACCEPTD: 'sent',
  DELIVRD: 'delivered',
  EXPIRED: 'undelivered',
  DELETED: 'undelivered',
  UNDELIV: 'undelivered',
  REJECTD: 'undelivered',
  // "The message is in an invalid state": SMSCs send it if the final state is unknown.
  UNKNOWN: 'undelivered',
  SKIPPED: 'undelivered',
};

const TEXTS: Partial<Record<ReceiptState, string>> = {
  EXPIRED: 'The message expired before it could be delivered',
  DELETED: 'The SMSC deleted the message',
  UNDELIV: 'The message cannot be delivered',
  REJECTD: 'The network refused the message',
  UNKNOWN: 'The SMSC reports an unknown final state',
  SKIPPED: 'The SMSC skipped the message',
};

/** Reads a deliver_sm or data_sm. Some SMSCs send receipts as data_sm. */
export function readDeliver(
  pdu: DeliveredPdu,
  account: ProviderAccount,
  settings: SmppSettings,
): Delivered {
  const receipt = readReceipt(pdu);
  return receipt === null ? readInbound(pdu, account) : readStatus(receipt, pdu, account, settings);
}

function readStatus(
  { messageId, state, words, error }: Receipt,
  { source, destination }: DeliveredPdu,
  account: ProviderAccount,
  settings: SmppSettings,
): Delivered {
  const sid = messageId === null ? null : readMessageId(messageId);
  if (sid === null) {
    return { kind: 'unreadable', problem: { kind: 'unreadable_receipt', example: words } };
  }
  const text = state === null ? undefined : TEXTS[state];
  return {
    kind: 'status',
    callback: {
      messageId: null,
      sid,
      match: {
        expectedKey: toExpectedKey(sid, settings.messageIds),
        // The recipient is the source of its receipt, but some SMSCs exchange the two.
        addresses: [source, destination],
      },
      vendorAccountId: account.vendorAccountId,
      status: state === null ? null : STATUSES[state],
      rawStatus: state === null && error !== null ? `${words} err:${error}` : words,
      isRawStatusShown: true,
      from: null,
      // The meaning of the number differs between networks. Without one, the state is the error.
      errorCode: text === undefined ? null : (error ?? words),
      errorDetail: text === undefined ? null : explain(text, error),
      isOptOut: false,
    },
    problem: state === null ? { kind: 'unknown_state', example: words } : null,
  };
}

function explain(text: string, error: string | null): string {
  return error === null ? `${text}.` : `${text} (network error ${error}).`;
}

function readInbound(pdu: DeliveredPdu, account: ProviderAccount): Delivered {
  const to = parseAddress(pdu.destinationTon, pdu.destination, contextOf(account));
  const from = parseAddress(pdu.sourceTon, pdu.source, contextOf(account, to));
  if (from === null || to === null) {
    const example = from === null ? 'no sender' : 'no recipient';
    return { kind: 'unreadable', problem: { kind: 'unreadable_message', example } };
  }
  const { part, text } = readText(pdu);
  const decoded = decodeText([text]).replaceAll('\0', '\uFFFD');
  // Half of a surrogate pair belongs to the next part.
  const body = part === null ? decoded.toWellFormed() : decoded;
  const fitsOneSegment = part !== null || readShortMessage(pdu).length > 0;
  return {
    kind: 'inbound',
    inbound: {
      message: {
        // A deliver_sm has no identifier. Some SMSCs send the same `receipted_message_id` with
        // every message.
        sid: null,
        to,
        from,
        body,
        media: [],
        segments: fitsOneSegment ? 1 : countSegments(body).segments,
        providerKeyword: null,
      },
      providerTimestamp: null,
      part: part === null ? null : { ...part, content: formatTextPart(text) },
    },
  };
}
