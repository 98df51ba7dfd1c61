import type { MediaOutcome, ProviderAccount } from '@switchboard/core';
import type { CheckedFetch } from '../http/fetch-checked.ts';

/** Where Twilio's webhooks say that media is. It leads on to a host that stores them. */
export const TWILIO_ORIGIN = 'https://api.twilio.com';

/** Media of a received message, at Twilio or at the operator's stand-in for it. */
export function fetchMedia(
  fetchChecked: CheckedFetch,
  origin: string,
  { accountSid, authToken }: ProviderAccount,
  url: string,
): Promise<MediaOutcome> {
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const here = url.startsWith(`${TWILIO_ORIGIN}/`) ? origin + url.slice(TWILIO_ORIGIN.length) : url;
  return fetchChecked(here, `Basic ${credentials}`);
}
