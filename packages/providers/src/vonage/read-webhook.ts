import {
  AppError,
  type InboundMessage,
  type ProviderAccount,
  type StatusCallback,
  type WebhookOutcome,
  type WebhookRequest,
  countSegments,
  isUuid,
} from '@switchboard/core';

import { decodeBody } from '../http/decode-body.ts';
import { type JsonObject, parseObject, toList, toObject } from '../http/parse-object.ts';
import { readReportedError } from '../http/read-error.ts';
import { isMediaKind, readMediaList } from '../http/read-media.ts';
import {
  readAddress,
  readMessageText,
  readSegments,
  requireAddress,
  requireIdentifier,
  requireWord,
  readSubject,
} from '../http/webhook-values.ts';
import { isOptOut } from './errors.ts';
import { toMessageStatus } from './message-status.ts';
import { type NumberContext, contextOf, readNumber } from '../numbers/read-number.ts';
import { isSigned } from './signature.ts';

export function readStatusCallback(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<StatusCallback> {
  return readSigned(account, request, 'status', (fields) => {
    const { client_ref: reference } = fields;
    const from = readAddress(fields['from']);
    const rawStatus = requireWord({ name: 'status', value: fields['status'] });
    const { code, detail } = readReportedError(fields['error']);
    return {
      // Read from the body, because the signature does not cover the URL of the request.
      messageId: typeof reference === 'string' && isUuid(reference) ? reference : null,
      sid: requireIdentifier({ name: 'message_uuid', value: fields['message_uuid'] }),
      vendorAccountId: account.vendorAccountId,
      status: toMessageStatus(rawStatus),
      rawStatus,
      from: from === null ? null : toNumber(from, contextOf(account)),
      errorCode: code,
      errorDetail: detail,
      isOptOut: isOptOut(code),
    };
  });
}

export function readInbound(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<InboundMessage> {
  return readSigned(account, request, 'message', (fields) => {
    const parts = listParts(fields);
    const to = requireNumber('to', fields['to'], contextOf(account));
    const body = joinTexts([fields['text'], ...parts.flatMap(({ texts }) => texts)]);
    const { num_messages: segments } = toObject(fields['sms']);
    return {
      sid: requireIdentifier({ name: 'message_uuid', value: fields['message_uuid'] }),
      vendorAccountId: account.vendorAccountId,
      to,
      from: requireNumber('from', fields['from'], contextOf(account, to)),
      subject: readSubject(fields['subject']),
      body,
      media: readMediaList(parts.filter(({ isMedia }) => isMedia)),
      segments: readSegments(segments) ?? countSegments(body).segments,
      // Vonage does not report keywords that it has handled itself.
      providerKeyword: null,
    };
  });
}

/** Lists the parts of a message: one in the field of its type, or several in `content`. */
function listParts(fields: JsonObject) {
  const { message_type: type } = fields;
  const parts = isMediaKind(type)
    ? [{ ...toObject(fields[type]), type }]
    : toList(fields['content']).map(toObject);
  return parts.map(({ type: kind, url, name, content_type: contentType, caption, text }) => ({
    isMedia: url !== undefined || isMediaKind(kind),
    kind,
    url,
    name,
    contentType,
    texts: [caption, text],
  }));
}

/** Joins the texts of a message, each in a line of its own and once. */
function joinTexts(texts: readonly unknown[]): string {
  return [...new Set(texts.map(readMessageText))].filter((text) => text !== '').join('\n');
}

/** Vonage writes numbers in full, without `+`. */
function toNumber(address: string, context: NumberContext): string {
  return readNumber(address, { ...context, notation: 'international' });
}

function requireNumber(name: string, value: unknown, context: NumberContext): string {
  return toNumber(requireAddress({ name, value }), context);
}

/** Parses a signed event of one kind. The other kind is ignored. */
function readSigned<Content>(
  account: ProviderAccount,
  request: WebhookRequest,
  wanted: 'status' | 'message',
  parse: (fields: JsonObject) => Content,
): WebhookOutcome<Content> {
  if (!isSigned(account, request, Date.now())) return { kind: 'forged' };
  const other = wanted === 'status' ? 'message' : 'status';
  try {
    const fields = parseObject(decodeBody(request.body));
    if (!isOfKind(wanted, fields) && isOfKind(other, fields)) {
      return { kind: 'ignored', event: other };
    }
    return { kind: 'read', content: parse(fields) };
  } catch (error) {
    if (error instanceof AppError) return { kind: 'invalid', error };
    throw error;
  }
}

/** Whether an event has the field of its kind. A field of the other kind makes it no other event. */
function isOfKind(kind: 'status' | 'message', fields: JsonObject): boolean {
  return fields[kind === 'status' ? 'status' : 'message_type'] !== undefined;
}
