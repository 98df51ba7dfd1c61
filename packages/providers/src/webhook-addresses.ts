import { isUuid } from '@switchboard/core';

/** The addresses at which a provider's webhooks come in; `suffix` ends every URL that it is given. */
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

/** The message that the address of a status callback names; null when it names none of ours. */
export function readMessageId(url: string): string | null {
  const id = URL.canParse(url) ? new URL(url).searchParams.get('message') : null;
  return id !== null && isUuid(id) ? id : null;
}
