import type { MediaOutcome, ProviderAccount } from '@switchboard/core';
import type { CheckedFetch } from '../http/fetch-checked.ts';
import { api } from './api.ts';

/**
 * Fetches media of a received message from Twilio or from the operator's replacement for it. The
 * URL comes from a signed webhook, so only media paths of the account at that origin are trusted. Twilio redirects
 * to the host that stores the files.
 */
export function fetchMedia(
  fetchChecked: CheckedFetch,
  origin: string,
  { vendorAccountId: accountSid, secret }: ProviderAccount,
  url: string,
): Promise<MediaOutcome> {
  const credentials = Buffer.from(`${accountSid}:${secret}`).toString('base64');
  const here = url.startsWith(`${api.origin}/`) ? origin + url.slice(api.origin.length) : url;
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
