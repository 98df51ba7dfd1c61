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
    const { client_ref: reference, from } = fields;
    const rawStatus = requireWord({ name: 'status', value: fields['status'] });
    const { code, detail } = readReportedError(fields['error']);
    return {
      // Read from the body, because the signature does not cover the URL of the request.
      messageId: typeof reference === 'string' && isUuid(reference) ? reference : null,
      sid: requireIdentifier({ name: 'message_uuid', value: fields['message_uuid'] }),
      account: account.id,
      status: toMessageStatus(rawStatus),
      rawStatus,
      from: from === undefined ? null : readAddress('from', from, contextOf(account)),
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
    const to = readAddress('to', fields['to'], contextOf(account));
    const body = joinTexts([fields['text'], ...parts.flatMap(({ texts }) => texts)]);
    const { num_messages: segments } = toObject(fields['sms']);
    return {
      sid: requireIdentifier({ name: 'message_uuid', value: fields['message_uuid'] }),
      account: account.id,
      to,
      from: readAddress('from', fields['from'], contextOf(account, to)),
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
function readAddress(name: string, value: unknown, context: NumberContext): string {
  return readNumber(requireAddress({ name, value }), { ...context, notation: 'international' });
}

/** Parses a signed event of one kind. The other kind is ignored. */
function readSigned<Content>(
  account: ProviderAccount,
  request: WebhookRequest,
  wanted: 'status' | 'message',
  parse: (fields: JsonObject) => Content,
): WebhookOutcome<Content> {
  if (!isSigned(account, request, Date.now())) return { kind: 'forged' };
  try {
    const fields = parseObject(decodeBody(request.body));
    const event = kindOf(fields);
    if (event !== null && event !== wanted) return { kind: 'ignored', event };
    return { kind: 'read', content: parse(fields) };
  } catch (error) {
    if (error instanceof AppError) return { kind: 'invalid', error };
    throw error;
  }
}

/** Returns the kind of an event, by a field that only one kind has; null if a required field is missing. */
function kindOf(fields: JsonObject): 'status' | 'message' | null {
  if (fields['status'] !== undefined) return 'status';
  return fields['message_type'] === undefined ? null : 'message';
}
