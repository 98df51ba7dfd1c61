import {
  type InboundMessage,
  type Keyword,
  type ProviderAccount,
  type StatusCallback,
  countSegments,
} from '@switchboard/core';

import { readReportedError } from '../http/read-error.ts';
import { readMediaList } from '../http/read-media.ts';
import { readSegments } from '../http/webhook-values.ts';
import { contextOf, readNumber } from '../numbers/read-number.ts';
import { findErrorText, isOptOutCode } from './error-texts.ts';
import { toMessageStatus } from './message-status.ts';
import type { FormFields } from './signature.ts';
import { type WebhookFields, parseWebhookFields } from './webhook-fields.ts';

/** Parses a status callback; null if the message SID, the account or the status is missing. */
export function parseStatusCallback(
  fields: FormFields,
  receiver: Pick<ProviderAccount, 'home'> = {},
): Omit<StatusCallback, 'messageId'> | null {
  const { readStrict, read } = parseWebhookFields(fields);
  const sid = readSid(readStrict);
  const vendorAccountId = readStrict('AccountSid');
  const rawStatus = readStrict('MessageStatus') ?? readStrict('SmsStatus');
  if (sid === null || vendorAccountId === null || rawStatus === null) return null;
  const from = read('From');
  const { code, detail } = readReportedError({
    code: read('ErrorCode'),
    message: read('ErrorMessage') ?? read('ChannelStatusMessage'),
  });
  return {
    sid,
    vendorAccountId,
    status: toMessageStatus(rawStatus),
    rawStatus,
    from: from === null ? null : readNumber(from, contextOf(receiver)),
    errorCode: code,
    errorDetail: detail ?? findErrorText(code),
    isOptOut: isOptOutCode(code),
  };
}

/**
 * Parses an inbound message; null if the message SID, the sender, the recipient or the account is
 * missing.
 */
export function parseInbound(
  fields: FormFields,
  receiver: Pick<ProviderAccount, 'home'> = {},
): InboundMessage | null {
  const { readStrict, read, media } = parseWebhookFields(fields);
  const sid = readSid(readStrict);
  const vendorAccountId = readStrict('AccountSid');
  const to = readStrict('To');
  const from = readStrict('From');
  if (sid === null || vendorAccountId === null || to === null || from === null) return null;
  const body = read('Body') ?? '';
  const own = readNumber(to, contextOf(receiver));
  return {
    sid,
    vendorAccountId,
    to: own,
    from: readNumber(from, contextOf(receiver, own)),
    body,
    media: readMediaList(media),
    segments: readSegments(read('NumSegments')) ?? countSegments(body).segments,
    providerKeyword: readOptOutType(read('OptOutType')),
  };
}

function readSid(readStrict: WebhookFields['readStrict']): string | null {
  return readStrict('MessageSid') ?? readStrict('SmsSid');
}

const OPT_OUT_TYPES: ReadonlyMap<string, Keyword> = new Map([
  ['STOP', 'opt_out'],
  ['START', 'opt_in'],
  ['HELP', 'help'],
]);

/** Set if Twilio's own opt-out handling recognized a keyword, custom ones included, and replied. */
function readOptOutType(value: string | null): InboundMessage['providerKeyword'] {
  return value === null ? null : (OPT_OUT_TYPES.get(value.toUpperCase()) ?? 'unknown');
}
