import {
  AppError,
  type InboundMessage,
  type Keyword,
  type ProviderAccount,
  type StatusCallback,
  type WebhookOutcome,
  type WebhookRequest,
  countSegments,
} from '@switchboard/core';

import { decodeBody } from '../http/decode-body.ts';
import { type JsonObject, parseObject, toList, toObject } from '../http/parse-object.ts';
import { readReportedError } from '../http/read-error.ts';
import { readMediaList } from '../http/read-media.ts';
import { readText } from '../http/read-text.ts';
import {
  readMessageText,
  readSegments,
  readSubject,
  requireAddress,
  requireIdentifier,
  requireWord,
} from '../http/webhook-values.ts';
import { contextOf, readNumber } from '../numbers/read-number.ts';
import { readMessageId } from '../webhook-addresses.ts';
import { isOptOut } from './errors.ts';
import { toMessageStatus } from './message-status.ts';
import { isSigned } from './signature.ts';

const STATUS_EVENTS = new Set(['message.sent', 'message.finalized']);
const INBOUND_EVENTS = new Set(['message.received']);

export function readStatusCallback(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<StatusCallback> {
  return readSigned(account, request, STATUS_EVENTS, (payload) => {
    const recipient = toObject(toList(payload['to'])[0]);
    const rawStatus = requireWord({ name: 'to[0].status', value: recipient['status'] });
    const { code, detail } = readReportedError(payload['errors']);
    return {
      // Read from the URL in the body, because the signature does not cover the URL of the request.
      messageId: readMessageId(readText(payload['webhook_url']) ?? ''),
      sid: requireIdentifier({ name: 'id', value: payload['id'] }),
      vendorAccountId: account.vendorAccountId,
      status: toMessageStatus(rawStatus),
      rawStatus,
      from: readText(toObject(payload['from'])['phone_number']),
      errorCode: code,
      errorDetail: detail,
      isOptOut: isOptOut(code),
    };
  });
}

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ['STOP', 'opt_out'],
  ['START', 'opt_in'],
  ['HELP', 'help'],
]);

export function readInbound(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<InboundMessage> {
  return readSigned(account, request, INBOUND_EVENTS, (payload) => {
    const recipient = toObject(toList(payload['to'])[0]);
    const address = { name: 'to[0].phone_number', value: recipient['phone_number'] };
    const to = readNumber(requireAddress(address), contextOf(account));
    const { phone_number: sender } = toObject(payload['from']);
    const body = readMessageText(payload['text']);
    const keyword = readText(payload['autoresponse_type']);
    return {
      sid: requireIdentifier({ name: 'id', value: payload['id'] }),
      vendorAccountId: account.vendorAccountId,
      to,
      from: readNumber(
        requireAddress({ name: 'from.phone_number', value: sender }),
        contextOf(account, to),
      ),
      subject: readSubject(payload['subject']),
      body,
      media: readMediaList(
        toList(payload['media']).map((item) => {
          const { url, content_type: contentType } = toObject(item);
          return { url, contentType };
        }),
      ),
      segments: readSegments(payload['parts']) ?? countSegments(body).segments,
      // Set if Telnyx has recognized a keyword and replied to it.
      providerKeyword: keyword === null ? null : (KEYWORDS.get(keyword.toUpperCase()) ?? 'unknown'),
    };
  });
}

/** Parses the message of a signed event of one of the types. Other events are ignored. */
function readSigned<Content>(
  account: ProviderAccount,
  request: WebhookRequest,
  types: ReadonlySet<string>,
  parse: (payload: JsonObject) => Content,
): WebhookOutcome<Content> {
  if (!isSigned(account.vendorAccountId, request, Date.now())) return { kind: 'forged' };
  try {
    const event = toObject(parseObject(decodeBody(request.body))['data']);
    const type = requireWord({ name: 'event_type', value: event['event_type'] });
    // Telnyx reports its own replies to keywords to the inbound URL, and repeats refused events.
    if (!types.has(type)) return { kind: 'ignored', event: type };
    return { kind: 'read', content: parse(toObject(event['payload'])) };
  } catch (error) {
    if (error instanceof AppError) return { kind: 'invalid', error };
    throw error;
  }
}
