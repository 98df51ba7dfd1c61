import type { IncomingPhoneNumberInstance } from 'twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js';

/*
 * Where Twilio sends the inbound messages for a number. If the number has an SMS application, Twilio uses
 * the application's URLs and ignores the number's own:
 * https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource
 */

/** Returns the changes that make a number send its inbound messages to the URL. */
export function toNumberWebhook(url: string) {
  return { smsUrl: url, smsMethod: 'POST', smsApplicationSid: '' };
}

/** Returns whether the number sends its inbound messages to the URL, with any connection overrides. */
export function sendsTo(
  number: Pick<IncomingPhoneNumberInstance, 'smsUrl' | 'smsApplicationSid'>,
  url: string,
): boolean {
  // Absent, null or empty in different responses of Twilio.
  const hasApplication = Boolean(number.smsApplicationSid);
  return !hasApplication && isSameResource(number.smsUrl, url);
}

/** Compares without the fragment, which holds Twilio's connection overrides and is not part of a request. */
function isSameResource(actual: string, expected: string): boolean {
  if (!URL.canParse(actual) || !URL.canParse(expected)) return false;
  const [one, other] = [new URL(actual), new URL(expected)];
  one.hash = other.hash = '';
  return one.href === other.href;
}
