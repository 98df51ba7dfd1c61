import type { ProviderMessage } from '@switchboard/core';
import type { MessageInstance } from 'twilio/lib/rest/api/v2010/account/message.js';

import { readText } from '../http/read-text.ts';
import { findErrorText, isOptOutCode } from './error-texts.ts';
import { toMessageStatus } from './message-status.ts';

const SID = /^[A-Z]{2}[0-9a-f]{32}$/i;

/** Converts Twilio's answer to a message; null if it has no SID. Every field is validated. */
export function toProviderMessage(instance: MessageInstance): ProviderMessage | null {
  const sid = readText(instance.sid);
  if (sid === null || !SID.test(sid)) return null;
  const rawStatus = readText(instance.status) ?? '';
  const errorCode = readErrorCode(instance.errorCode);
  const segments = Number(instance.numSegments);
  const mediaCount = Number.parseInt(instance.numMedia, 10);
  return {
    sid,
    account: readText(instance.accountSid) ?? '',
    status: toMessageStatus(rawStatus),
    rawStatus,
    to: readText(instance.to) ?? '',
    from: readText(instance.from),
    body: typeof instance.body === 'string' ? instance.body : null,
    // "0" while a messaging service has not chosen a sender yet.
    segments: Number.isInteger(segments) && segments > 0 ? segments : null,
    mediaCount: Number.isNaN(mediaCount) ? null : mediaCount,
    errorCode,
    errorDetail: readText(instance.errorMessage) ?? findErrorText(errorCode),
    isOptOut: isOptOutCode(errorCode),
    direction: instance.direction === 'inbound' ? 'inbound' : 'outbound',
    createdAt: readDate(instance.dateCreated),
  };
}

/** Returns an error code as text; null if there is none, which Twilio may also report as 0. */
export function readErrorCode(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : readText(value);
  return text === '0' ? null : text;
}

/** The client leaves a malformed date unchanged. */
export function readDate(value: unknown): Date | null {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value : null;
}
