import type { InboundMessage, SignedRequest, StatusCallback } from '@switchboard/core';

import { findErrorText } from './error-texts.ts';
import { toMessageStatus } from './message-status.ts';
import { readErrorCode, readText } from './provider-message.ts';

type Fields = SignedRequest['fields'];

/** Null when it is no status callback: the identifier, the account or the status is missing. */
export function parseStatusCallback(fields: Fields): StatusCallback | null {
  const values = firstValues(fields);
  const sid = readText(values.get('MessageSid')) ?? readText(values.get('SmsSid'));
  const accountSid = readText(values.get('AccountSid'));
  const rawStatus = readText(values.get('MessageStatus')) ?? readText(values.get('SmsStatus'));
  if (sid === null || accountSid === null || rawStatus === null) return null;
  const errorCode = readErrorCode(values.get('ErrorCode'));
  return {
    sid,
    accountSid,
    status: toMessageStatus(rawStatus),
    rawStatus,
    from: readText(values.get('From')),
    errorCode,
    errorDetail: readText(values.get('ErrorMessage')) ?? findErrorText(errorCode),
  };
}

/** Null when it is no message: an identifier, an end or the account is missing. */
export function parseInbound(fields: Fields): InboundMessage | null {
  const values = firstValues(fields);
  const sid = readText(values.get('MessageSid')) ?? readText(values.get('SmsSid'));
  const accountSid = readText(values.get('AccountSid'));
  const to = readText(values.get('To'));
  const from = readText(values.get('From'));
  if (sid === null || accountSid === null || to === null || from === null) return null;

  const media = [];
  for (let index = 0; ; index += 1) {
    const url = readText(values.get(`MediaUrl${index}`));
    if (url === null) break;
    const contentType = readText(values.get(`MediaContentType${index}`));
    media.push({ url, content_type: contentType ?? 'application/octet-stream' });
  }
  const segments = Number(values.get('NumSegments'));
  return {
    sid,
    accountSid,
    to,
    from,
    body: values.get('Body') ?? '',
    media,
    segments: Number.isInteger(segments) && segments > 0 ? segments : 1,
    // Set where Twilio's own opt-out handling has answered.
    isKeywordAnswered: readText(values.get('OptOutType')) !== null,
  };
}

function firstValues(fields: Fields): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of fields) if (!values.has(name)) values.set(name, value);
  return values;
}
