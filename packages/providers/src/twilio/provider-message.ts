import type { ProviderMessage } from '@switchboard/core';
import type { MessageInstance } from 'twilio/lib/rest/api/v2010/account/message.js';

import { findErrorText, isOptOutCode } from './error-texts.ts';
import { toMessageStatus } from './message-status.ts';

const SID = /^[A-Z]{2}[0-9a-f]{32}$/i;

/** Twilio's answer as a message; null when it carries no identifier. Nothing in it is trusted. */
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

export function readErrorCode(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : readText(value);
  return text === '0' ? null : text;
}

/** The client leaves a date it can't read as it came. */
export function readDate(value: unknown): Date | null {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value : null;
}

/** More than Twilio has to say in one field but a message's text. */
const LONGEST_TEXT = 1_000;

/**
 * Text of the provider's, fit to be stored; null for what is absent, empty or no text. Everything
 * but a message's own text comes in through here: PostgreSQL refuses NUL, and one such row would
 * fail the whole batch that it is written in.
 */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.slice(0, LONGEST_TEXT).toWellFormed().replaceAll('\0', '\uFFFD');
}
