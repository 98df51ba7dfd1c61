import type { InboundConfiguration } from './set-inbound-urls.ts';

/** Describes for the user whether messages to a number arrive, and what to do if not. */
export function describeInbound({ result, url }: InboundConfiguration): string {
  switch (result) {
    case 'configured':
      return 'Messages to this number arrive here.';
    case 'not_owned':
      return 'The provider account does not own this number.';
    case 'manual':
      return url === null
        ? 'Messages to this number arrive here if the provider sends them to this account. Ask the provider to do so.'
        : `Only you can change this, in the provider’s console. Enter this URL for inbound messages: ${url}`;
    case 'unavailable':
      return 'The provider did not respond, or refused the change. Try again later.';
    case 'no_account':
      return 'The number has no provider account. Connect one first.';
  }
}
