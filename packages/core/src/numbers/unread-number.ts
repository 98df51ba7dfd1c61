import { readSenderKind } from '../routing/sender-kind.ts';
import { toDigits } from './to-digits.ts';

/** Returns whether a sender has the digits of a phone number, and yet is neither one in E.164 nor a short code. */
export function isUnreadNumber(sender: string): boolean {
  return readSenderKind(sender) === null && toDigits(sender) !== null;
}
