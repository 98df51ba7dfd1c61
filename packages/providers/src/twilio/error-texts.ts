/**
 * Texts for error codes that come without one, mostly in callbacks.
 * https://www.twilio.com/docs/api/errors
 */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ['20003', 'Twilio refused the account SID or the auth token.'],
  ['20429', 'Twilio is receiving too many requests from this account.'],
  ['20500', 'Twilio had an internal error.'],
  ['20503', 'Twilio was unavailable.'],
  ['21211', 'The recipient is not a valid phone number.'],
  ['21212', 'The sender is not a valid phone number.'],
  ['21408', 'The account is not enabled to send to the region of this number.'],
  ['21602', 'The message has neither text nor media.'],
  ['21606', 'The sender does not belong to the account, or cannot send this message.'],
  ['21608', 'A trial account can only send to numbers it has verified.'],
  ['21610', 'The recipient has opted out of messages from this sender.'],
  ['21611', "The sender's queue at Twilio is full."],
  ['21612', 'There is no route from this sender to this recipient.'],
  ['21614', 'The recipient is not a mobile number.'],
  ['21617', 'The message is longer than 1,600 characters.'],
  ['21620', 'A media URL is not valid.'],
  ['21623', 'The message has more than ten media files.'],
  ['30001', 'The queue at Twilio overflowed.'],
  ['30002', 'The account is suspended.'],
  ['30003', 'The handset is switched off or out of reach.'],
  ['30004', 'The message was blocked, by the recipient or the carrier.'],
  ['30005', 'The number is unknown or no longer in use.'],
  ['30006', 'The number is a landline, or its carrier cannot be reached.'],
  ['30007', 'The carrier filtered the message.'],
  ['30008', 'The carrier did not deliver the message and gave no reason.'],
  ['30034', 'The sender is not registered for A2P 10DLC, as carriers in the US require.'],
]);

/** Codes for a recipient who has opted out at Twilio. */
export const OPT_OUT_CODES: readonly string[] = ['21610'];

export function isOptOutCode(code: string | null): boolean {
  return code !== null && OPT_OUT_CODES.includes(code);
}

/** Returns a sentence for a Twilio error code; null if there is none. */
export function findErrorText(code: string | null): string | null {
  return code === null ? null : (TEXTS.get(code) ?? null);
}
