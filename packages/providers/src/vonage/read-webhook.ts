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

import { type JsonObject, parseObject, toList, toObject } from '../http/parse-object.ts';
import {
  readMediaList,
  readMessageText,
  readSegments,
  requireAddress,
  requireIdentifier,
  requireWord,
} from '../http/webhook-values.ts';
import { isOptOut, readError } from './errors.ts';
import { toMessageStatus } from './message-status.ts';
import { readNumber } from '../numbers/read-number.ts';
import { VONAGE_NUMBERS } from './phone-number.ts';
import { isSigned } from './signature.ts';

export function readStatusCallback(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<StatusCallback> {
  return readSigned(account, request, 'status', (fields) => {
    const { client_ref: reference, from } = fields;
    const rawStatus = requireWord({ name: 'status', value: fields['status'] });
    const { code, detail } = readError(fields['error']);
    return {
      // Read from the body, because the signature does not cover the URL of the request.
      messageId: typeof reference === 'string' && isUuid(reference) ? reference : null,
      sid: requireIdentifier({ name: 'message_uuid', value: fields['message_uuid'] }),
      account: account.id,
      status: toMessageStatus(rawStatus),
      rawStatus,
      from: from === undefined ? null : readAddress('from', from),
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
    const media = listMedia(fields);
    const body = readMessageText(fields['text'] ?? media.find(({ text }) => text !== null)?.text);
    const { num_messages: parts } = toObject(fields['sms']);
    return {
      sid: requireIdentifier({ name: 'message_uuid', value: fields['message_uuid'] }),
      account: account.id,
      to: readAddress('to', fields['to']),
      from: readAddress('from', fields['from']),
      body,
      media: readMediaList(media),
      segments: readSegments(parts) ?? countSegments(body).segments,
      // Vonage does not report keywords that it has handled itself.
      providerKeyword: null,
    };
  });
}

const MEDIA_FIELDS = ['image', 'audio', 'video', 'vcard', 'file'];

/** Lists the files of a message: one in the field of its type, or several in `content`. */
function listMedia(fields: JsonObject) {
  const { message_type: type } = fields;
  const isSingle = typeof type === 'string' && MEDIA_FIELDS.includes(type);
  const items = isSingle
    ? [{ name: type, item: fields[type] }]
    : toList(fields['content']).map((item, index) => ({ name: `content[${index}]`, item }));
  return items
    .map(({ name, item }) => {
      const { url, caption, text, content_type: contentType } = toObject(item);
      const words = [caption, text].find((value) => typeof value === 'string') ?? null;
      return { name: `${name}.url`, url, contentType, text: words };
    })
    .filter(({ url }) => isSingle || url !== undefined);
}

function readAddress(name: string, value: unknown): string {
  return readNumber(requireAddress({ name, value }), VONAGE_NUMBERS);
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
    const fields = parseObject(request.body);
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
