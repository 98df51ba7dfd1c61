import type { ProviderMessage } from '@switchboard/core';

import { parseObject } from '../http/parse-object.ts';
import { readReportedError } from '../http/read-error.ts';
import { readText } from '../http/read-text.ts';
import { readSegments } from '../http/webhook-values.ts';
import { findErrorText, isOptOutCode } from './error-texts.ts';
import { toMessageStatus } from './message-status.ts';

const SID = /^[A-Z]{2}[0-9a-f]{32}$/i;

/** A message as the `twilio` package reads it. None of its types is certain. */
interface ReportedMessage {
  sid: unknown;
  accountSid: unknown;
  status: unknown;
  to: unknown;
  from: unknown;
  body: unknown;
  numSegments: unknown;
  numMedia: unknown;
  errorCode: unknown;
  errorMessage: unknown;
  direction: unknown;
  dateCreated: unknown;
}

/** Reads a message from a response body, as the `twilio` package does; null if it has no SID. */
export function parseProviderMessage(text: string): ProviderMessage | null {
  const fields = parseObject(text);
  const created = fields['date_created'];
  return toProviderMessage({
    sid: fields['sid'],
    accountSid: fields['account_sid'],
    status: fields['status'],
    to: fields['to'],
    from: fields['from'],
    body: fields['body'],
    numSegments: fields['num_segments'],
    numMedia: fields['num_media'],
    errorCode: fields['error_code'],
    errorMessage: fields['error_message'],
    direction: fields['direction'],
    dateCreated: typeof created === 'string' ? new Date(created) : null,
  });
}

/** Converts Twilio's response to a message; null if it has no SID. Every field is validated. */
export function toProviderMessage(instance: ReportedMessage): ProviderMessage | null {
  const sid = readText(instance.sid);
  if (sid === null || !SID.test(sid)) return null;
  const rawStatus = readText(instance.status) ?? '';
  const { code, detail } = readReportedError({
    code: instance.errorCode,
    message: instance.errorMessage,
  });
  const mediaCount = Number.parseInt(String(instance.numMedia), 10);
  return {
    sid,
    vendorAccountId: readText(instance.accountSid) ?? '',
    status: toMessageStatus(rawStatus),
    rawStatus,
    to: readText(instance.to) ?? '',
    from: readText(instance.from),
    body: typeof instance.body === 'string' ? instance.body : null,
    // "0" while a messaging service has not chosen a sender yet.
    segments: readSegments(instance.numSegments),
    mediaCount: Number.isNaN(mediaCount) ? null : mediaCount,
    errorCode: code,
    errorDetail: detail ?? findErrorText(code),
    isOptOut: isOptOutCode(code),
    direction: instance.direction === 'inbound' ? 'inbound' : 'outbound',
    createdAt: readDate(instance.dateCreated),
  };
}

/** Returns the date, or null if it is malformed: the client leaves a malformed date unchanged. */
export function readDate(value: unknown): Date | null {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value : null;
}
