import type { TwilioErrorCode } from '../twilio-error.ts';

// Twilio's magic numbers: https://www.twilio.com/docs/iam/test-credentials#test-sms-messages
const REFUSED_TO: Record<string, TwilioErrorCode> = {
  '+15005550001': 21211,
  '+15005550002': 21612,
  '+15005550003': 21408,
  '+15005550004': 21610,
  '+15005550009': 21614,
};
const REFUSED_FROM: Record<string, TwilioErrorCode> = {
  '+15005550001': 21212,
  '+15005550007': 21606,
  '+15005550008': 21611,
};
export const WORKING_FROM = '+15005550006';

// The simulator's own magic numbers have the same prefix.
const UNDELIVERED: Record<string, number> = {
  '+15005550010': 30008,
  '+15005550011': 30003,
  '+15005550012': 30005,
  '+15005550013': 30006,
  '+15005550015': 30007,
  '+15005550016': 21610,
};
/** The codes of texts that are not delivered. */
export const UNDELIVERED_CODES: readonly number[] = Object.values(UNDELIVERED).toSorted(
  (a, b) => a - b,
);

const STAYS_SENT = '+15005550014';

/** The faults of a response to a create request. */
export type AnswerFault =
  | 'accept_then_500'
  | 'accept_then_reset'
  | 'accept_then_hang'
  | 'html_403_accepted'
  | 'mismatched_201';

const ANSWERED_TWICE_WITH_429 = '+15005550020';
const ANSWERS: Record<string, AnswerFault> = {
  '+15005550021': 'accept_then_500',
  '+15005550022': 'accept_then_reset',
  '+15005550023': 'accept_then_hang',
};

const ERROR_MESSAGES: Record<number, string> = {
  21610: 'Attempt to send to unsubscribed recipient',
  30003: 'Unreachable destination handset',
  30005: 'Unknown destination handset',
  30006: 'Landline or unreachable carrier',
  30007: 'Message filtered',
  30008: 'Unknown error',
};

export function refusalOfTo(to: string): TwilioErrorCode | null {
  return REFUSED_TO[to] ?? null;
}

/** Refuses senders with the magic prefix, except one number and those that the account owns. */
export function refusalOfFrom(from: string, isOwned: boolean): TwilioErrorCode | null {
  const refusal = REFUSED_FROM[from];
  if (refusal !== undefined) return refusal;
  return from.startsWith('+1500555') && from !== WORKING_FROM && !isOwned ? 21606 : null;
}

export function answerFaultOf(to: string): AnswerFault | null {
  return ANSWERS[to] ?? null;
}

export function isRefusedTwice(to: string): boolean {
  return to === ANSWERED_TWICE_WITH_429;
}

/** Returns the final status of a sent message, or null if it stays at `sent`. */
export function endOf(
  to: string,
): { status: 'delivered' | 'undelivered'; errorCode: number | null } | null {
  if (to === STAYS_SENT) return null;
  const errorCode = UNDELIVERED[to];
  return errorCode === undefined
    ? { status: 'delivered', errorCode: null }
    : { status: 'undelivered', errorCode };
}

export function errorMessageOf(errorCode: number | null): string | null {
  return errorCode === null ? null : (ERROR_MESSAGES[errorCode] ?? null);
}
