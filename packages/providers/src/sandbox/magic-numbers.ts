/**
 * Recipients with a fixed outcome. The first ones are Twilio's:
 * https://www.twilio.com/docs/iam/test-credentials#test-sms-messages. The others have the same prefix.
 */
const PREFIX = '+150055500';

/** What happens to a message to a magic number. Codes are those of Twilio. */
export type MagicOutcome =
  | { kind: 'refused'; code: 21211 | 21612 | 21408 | 21610 | 21614 }
  | { kind: 'undelivered'; code: number }
  /** Delivered later than other messages. */
  | { kind: 'slow' }
  /** Delivered, and then read. */
  | { kind: 'read' }
  /** The final status is never reported. */
  | { kind: 'receipt_lost' };

const OUTCOMES: Readonly<Record<string, MagicOutcome>> = {
  '01': { kind: 'refused', code: 21211 },
  '02': { kind: 'refused', code: 21612 },
  '03': { kind: 'refused', code: 21408 },
  '04': { kind: 'refused', code: 21610 },
  '09': { kind: 'refused', code: 21614 },
  '10': { kind: 'undelivered', code: 30008 },
  '11': { kind: 'undelivered', code: 30003 },
  '12': { kind: 'undelivered', code: 30005 },
  '13': { kind: 'undelivered', code: 30006 },
  '14': { kind: 'receipt_lost' },
  '15': { kind: 'undelivered', code: 30007 },
  '16': { kind: 'undelivered', code: 21610 },
  '17': { kind: 'slow' },
  '18': { kind: 'read' },
};

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  21211: "Invalid 'To' Phone Number",
  21408: 'Permission to send an SMS has not been enabled for the region of the recipient',
  21610: 'Attempt to send to unsubscribed recipient',
  21612: 'The recipient cannot be reached from this sender',
  21614: 'The recipient is not a mobile number',
  30003: 'Unreachable destination handset',
  30005: 'Unknown destination handset',
  30006: 'Landline or unreachable carrier',
  30007: 'Message filtered',
  30008: 'Unknown error',
};

/** The sender that test mode and the carrier simulator always accept, as Twilio does. */
export const MAGIC_SENDER = `${PREFIX}06`;

/** The codes of magic numbers whose messages are accepted and not delivered, in ascending order. */
export const UNDELIVERED_CODES: readonly number[] = Object.values(OUTCOMES)
  .flatMap((outcome) => (outcome.kind === 'undelivered' ? [outcome.code] : []))
  .toSorted((a, b) => a - b);

/** Returns the fixed outcome of a recipient, or null for any other number. */
export function magicOutcomeOf(to: string): MagicOutcome | null {
  return to.startsWith(PREFIX) ? (OUTCOMES[to.slice(PREFIX.length)] ?? null) : null;
}

/** Returns the words of an error code of a magic number, or null for any other code. */
export function magicErrorText(code: number): string | null {
  return ERROR_TEXTS[code] ?? null;
}
