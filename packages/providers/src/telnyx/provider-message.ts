import type { ProviderAccount, ProviderMessage } from '@switchboard/core';

import { type JsonObject, toList, toObject } from '../http/parse-object.ts';
import { readReportedError } from '../http/read-error.ts';
import { readText } from '../http/read-text.ts';
import { readSegments } from '../http/webhook-values.ts';
import { isOptOut } from './errors.ts';
import { toMessageStatus } from './message-status.ts';

const ID = /^[\w-]{1,64}$/;

/** Converts the message in a response; null if it has no identifier. Every field is validated. */
export function toProviderMessage(
  response: JsonObject,
  account: ProviderAccount,
): ProviderMessage | null {
  const message = toObject(response['data']);
  const sid = readText(message['id']);
  if (sid === null || !ID.test(sid)) return null;
  const recipient = toObject(toList(message['to'])[0]);
  const rawStatus = readText(recipient['status']) ?? '';
  const { code, detail } = readReportedError(message['errors']);
  return {
    sid,
    vendorAccountId: account.vendorAccountId,
    status: toMessageStatus(rawStatus),
    rawStatus,
    to: readText(recipient['phone_number']) ?? '',
    from: readText(toObject(message['from'])['phone_number']),
    body: typeof message['text'] === 'string' ? message['text'] : null,
    segments: readSegments(message['parts']),
    mediaCount: Array.isArray(message['media']) ? message['media'].length : null,
    errorCode: code,
    errorDetail: detail,
    isOptOut: isOptOut(code),
    direction: message['direction'] === 'inbound' ? 'inbound' : 'outbound',
    createdAt: readDate(message['received_at']),
  };
}

function readDate(value: unknown): Date | null {
  const date = new Date(typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
