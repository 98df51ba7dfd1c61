import {
  type MessageStatus,
  type ProviderAccount,
  type SessionInbound,
  type StatusCallback,
  countSegments,
} from '@switchboard/core';
import {
  type MessagePdu,
  type ReceiptState,
  TAG,
  decodeText,
  formatTextPart,
  isReceipt,
  parseReceipt,
  readText,
} from '@switchboard/smpp';

import { parseAddress } from './address.ts';
import type { SmppSettings } from './credentials.ts';
import { readReceiptId } from './message-id.ts';

export type Delivered =
  | { kind: 'status'; callback: StatusCallback }
  | { kind: 'inbound'; inbound: SessionInbound }
  /** Neither a receipt that names its message and its state, nor a message with its addresses. */
  | { kind: 'unreadable' };

const UNREADABLE: Delivered = { kind: 'unreadable' };

const STATUSES: Record<ReceiptState, MessageStatus> = {
  ENROUTE: 'sent',
  ACCEPTD: 'sent',
  DELIVRD: 'delivered',
  EXPIRED: 'undelivered',
  DELETED: 'undelivered',
  UNDELIV: 'undelivered',
  REJECTD: 'undelivered',
  // "The message is in an invalid state": SMSCs send it if the final state is unknown.
  UNKNOWN: 'undelivered',
};

const TEXTS: Partial<Record<ReceiptState, string>> = {
  EXPIRED: 'The message expired before it could be delivered',
  DELETED: 'The SMSC deleted the message',
  UNDELIV: 'The message cannot be delivered',
  REJECTD: 'The network refused the message',
  UNKNOWN: 'The SMSC reports an unknown final state',
};

/** Reads a deliver_sm. */
export function readDeliver(
  pdu: MessagePdu,
  account: ProviderAccount,
  settings: SmppSettings,
): Delivered {
  const { tlvs } = pdu;
  // Some SMSCs mark a receipt only by its optional parameters.
  const hasState = tlvs.has(TAG.receipted_message_id) && tlvs.has(TAG.message_state);
  return isReceipt(pdu) || isIntermediate(pdu) || hasState
    ? readReceipt(pdu, account, settings)
    : readInbound(pdu);
}

/** An intermediate delivery notification, section 5.2.12. */
function isIntermediate({ esmClass }: MessagePdu): boolean {
  return (esmClass & 0x20) !== 0;
}

function readReceipt(pdu: MessagePdu, account: ProviderAccount, settings: SmppSettings): Delivered {
  const receipt = parseReceipt(pdu);
  const sid = receipt === null ? null : readReceiptId(receipt.messageId, settings);
  if (receipt === null || sid === null) return UNREADABLE;
  const { state, error } = receipt;
  const text = TEXTS[state];
  return {
    kind: 'status',
    callback: {
      messageId: null,
      sid,
      account: account.id,
      status: STATUSES[state],
      rawStatus: state,
      from: null,
      // The meaning of the number differs between networks. Without one, the state is the error.
      errorCode: text === undefined ? null : (error ?? state),
      errorDetail: text === undefined ? null : explain(text, error),
      isOptOut: false,
    },
  };
}

function explain(text: string, error: string | null): string {
  return error === null ? `${text}.` : `${text} (network error ${error}).`;
}

function readInbound(pdu: MessagePdu): Delivered {
  const to = parseAddress(pdu.destinationTon, pdu.destination, null);
  const from = parseAddress(pdu.sourceTon, pdu.source, to);
  if (from === null || to === null) return UNREADABLE;
  const { part, text } = readText(pdu);
  const decoded = decodeText([text]).replaceAll('\0', '\uFFFD');
  // Half of a surrogate pair belongs to the next part.
  const body = part === null ? decoded.toWellFormed() : decoded;
  const fitsOneSegment = part !== null || pdu.shortMessage.length > 0;
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
