import { MAGIC_SENDER, magicErrorText, magicOutcomeOf } from '@switchboard/providers/magic-numbers';
import type { TwilioErrorCode } from '../twilio-error.ts';

// Recipients with other outcomes are in `magicOutcomeOf`, which test mode uses as well.
const REFUSED_FROM: Record<string, TwilioErrorCode> = {
  '+15005550001': 21212,
  '+15005550007': 21606,
  '+15005550008': 21611,
};

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

export function refusalOfTo(to: string): TwilioErrorCode | null {
  const outcome = magicOutcomeOf(to);
  return outcome?.kind === 'refused' ? outcome.code : null;
}

/** Refuses senders with the magic prefix, except one number and those that the account owns. */
export function refusalOfFrom(from: string, isOwned: boolean): TwilioErrorCode | null {
  const refusal = REFUSED_FROM[from];
  if (refusal !== undefined) return refusal;
  return from.startsWith('+1500555') && from !== MAGIC_SENDER && !isOwned ? 21606 : null;
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
  const outcome = magicOutcomeOf(to);
  if (outcome?.kind === 'receipt_lost') return null;
  return outcome?.kind === 'undelivered'
    ? { status: 'undelivered', errorCode: outcome.code }
    : { status: 'delivered', errorCode: null };
}

export const isSlow = (to: string): boolean => magicOutcomeOf(to)?.kind === 'slow';

export function errorMessageOf(errorCode: number | null): string | null {
  return errorCode === null ? null : magicErrorText(errorCode);
}
