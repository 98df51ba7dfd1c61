import { listOf, textOf, type Form } from '../form.ts';
import { isPhoneNumber, readPhoneNumber } from '../phone-number.ts';
import type { TwilioErrorCode } from '../twilio-error.ts';
import { refusalOfFrom, refusalOfTo } from './magic-numbers.ts';

export interface CreateRequest {
  to: string;
  /** Null if the messaging service chooses the sender. */
  from: string | null;
  body: string;
  mediaUrls: string[];
  messagingServiceSid: string | null;
  statusCallback: string | null;
  sendAt: number | null;
}

export type ParsedCreate =
  | { ok: true; request: CreateRequest }
  | { ok: false; code: TwilioErrorCode; detail?: string };

/** Validates a new message as Twilio does, in the same order. */
export function parseCreate(form: Form, isOwned: (number: string) => boolean): ParsedCreate {
  const to = readPhoneNumber(textOf(form, 'To'));
  const from = readPhoneNumber(textOf(form, 'From'));
  const body = textOf(form, 'Body');
  const mediaUrls = listOf(form, 'MediaUrl').filter((url) => url !== '');
  const messagingServiceSid = textOf(form, 'MessagingServiceSid') || null;
  const statusCallback = textOf(form, 'StatusCallback') || null;

  if (to === '') return { ok: false, code: 21604 };
  if (from === '' && messagingServiceSid === null) return { ok: false, code: 21603 };
  if (!isPhoneNumber(to)) return { ok: false, code: 21211, detail: to };
  if (from !== '') {
    if (!isPhoneNumber(from)) return { ok: false, code: 21212, detail: from };
    const refusal = refusalOfFrom(from, isOwned(from));
    if (refusal !== null) return { ok: false, code: refusal, detail: from };
  }
  if (messagingServiceSid !== null && !/^MG[0-9a-fA-F]{32}$/.test(messagingServiceSid)) {
    return { ok: false, code: 20001, detail: 'MessagingServiceSid' };
  }
  if (body === '' && mediaUrls.length === 0) return { ok: false, code: 21602 };
  if (body.length > 1600) return { ok: false, code: 21617 };
  if (mediaUrls.length > 10) return { ok: false, code: 21623 };
  if (!mediaUrls.every(isHttpUrl)) return { ok: false, code: 21620 };
  if (statusCallback !== null && !isHttpUrl(statusCallback)) {
    return { ok: false, code: 20001, detail: 'StatusCallback is not a valid URL' };
  }
  const refusal = refusalOfTo(to);
  if (refusal !== null) return { ok: false, code: refusal, detail: to };

  const schedule = parseSchedule(form, messagingServiceSid);
  if (typeof schedule === 'object' && schedule !== null) return schedule;
  return {
    ok: true,
    request: {
      to,
      from: from === '' ? null : from,
      body,
      mediaUrls,
      messagingServiceSid,
      statusCallback,
      sendAt: schedule,
    },
  };
}

function parseSchedule(form: Form, messagingServiceSid: string | null) {
  if (textOf(form, 'ScheduleType') !== 'fixed') return null;
  if (messagingServiceSid === null) return { ok: false, code: 35118 } as const;
  const sendAt = Date.parse(textOf(form, 'SendAt'));
  const aheadMs = sendAt - Date.now();
  // NaN, from an invalid date, is not in the range either.
  const isInRange = aheadMs >= 299_000 && aheadMs <= 35 * 86_400_000;
  return isInRange ? sendAt : ({ ok: false, code: 35114 } as const);
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
