import { type AccountAddress, type AttemptAddress, isUuid } from '@switchboard/core';

import { toWebhookPath } from './vendor-description.ts';

/**
 * Creates the URLs of a provider's webhooks. `part` is the part of the address that the paths contain;
 * `suffix` is appended to each URL given to the provider.
 */
export function createWebhookAddresses(type: string, part: keyof AccountAddress, suffix = '') {
  const pathOf = (id: string, kind: 'status' | 'inbound') => toWebhookPath(type, id, kind);

  return {
    paths: { status: pathOf(`:${part}`, 'status'), inbound: pathOf(`:${part}`, 'inbound') },

    toStatusUrl(publicUrl: string, address: AttemptAddress): string {
      const query = `message=${address.messageId}&attempt=${address.attempt}`;
      return `${publicUrl}${pathOf(address[part], 'status')}?${query}${suffix}`;
    },

    toInboundUrl(publicUrl: string, address: AccountAddress): string {
      return publicUrl + pathOf(address[part], 'inbound') + suffix;
    },
  };
}

/** Reads the message ID from the query of a status callback; null if it is absent or not a UUID. */
export function readMessageId(url: string): string | null {
  const id = URL.canParse(url) ? new URL(url).searchParams.get('message') : null;
  return id !== null && isUuid(id) ? id : null;
}
