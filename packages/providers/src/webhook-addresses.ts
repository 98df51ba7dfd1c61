import { isUuid } from '@switchboard/core';

/**
 * Creates the URLs of a provider's webhooks; `suffix` is appended to each URL given to the
 * provider.
 */
export function createWebhookAddresses(type: string, suffix = '') {
  const pathOf = (workspaceId: string, kind: 'status' | 'inbound') =>
    `/api/webhooks/${type}/${workspaceId}/${kind}`;

  return {
    paths: { status: pathOf(':workspaceId', 'status'), inbound: pathOf(':workspaceId', 'inbound') },

    toStatusUrl(publicUrl: string, { workspaceId, messageId, attempt }: StatusAddress): string {
      const query = `message=${messageId}&attempt=${attempt}`;
      return `${publicUrl}${pathOf(workspaceId, 'status')}?${query}${suffix}`;
    },

    toInboundUrl(publicUrl: string, workspaceId: string): string {
      return publicUrl + pathOf(workspaceId, 'inbound') + suffix;
    },
  };
}

export interface StatusAddress {
  workspaceId: string;
  messageId: string;
  attempt: number;
}

/** Reads the message ID from the query of a status callback; null if it is absent or not a UUID. */
export function readMessageId(url: string): string | null {
  const id = URL.canParse(url) ? new URL(url).searchParams.get('message') : null;
  return id !== null && isUuid(id) ? id : null;
}
