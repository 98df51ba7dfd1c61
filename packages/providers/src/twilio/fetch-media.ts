import type { MediaOutcome, ProviderAccount } from '@switchboard/core';
import type { CheckedFetch } from '../http/fetch-checked.ts';

/**
 * The origin of the media URLs in Twilio's webhooks. Twilio redirects to the host that stores the
 * files.
 */
export const TWILIO_ORIGIN = 'https://api.twilio.com';

/**
 * Fetches media of a received message from Twilio or from the operator's replacement for it. The
 * URL comes from a signed webhook, so only media paths of the account at that origin are trusted.
 */
export function fetchMedia(
  fetchChecked: CheckedFetch,
  origin: string,
  { vendorAccountId: accountSid, secret }: ProviderAccount,
  url: string,
): Promise<MediaOutcome> {
  const credentials = Buffer.from(`${accountSid}:${secret}`).toString('base64');
  const here = url.startsWith(`${TWILIO_ORIGIN}/`) ? origin + url.slice(TWILIO_ORIGIN.length) : url;
  return fetchChecked(here, {
    authorization: `Basic ${credentials}`,
    isTrusted: (target) =>
      target.origin === origin && target.search === '' && isMediaPath(accountSid, target.pathname),
  });
}

const MEDIA_PATH =
  /^\/2010-04-01\/Accounts\/([A-Za-z0-9]+)\/Messages\/(?:SM|MM)[0-9a-f]{32}\/Media\/ME[0-9a-f]{32}$/;

function isMediaPath(accountSid: string, path: string): boolean {
  return MEDIA_PATH.exec(path)?.[1] === accountSid;
}
