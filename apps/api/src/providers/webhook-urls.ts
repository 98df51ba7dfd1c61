import type { ProviderAccount } from '@switchboard/contracts';
import type { ProviderAdapter } from '@switchboard/core';

/** Returns the webhook URLs that the owner of an account may have to enter at the provider. */
export function toWebhookUrls(
  adapter: Pick<ProviderAdapter, 'webhooks' | 'toInboundUrl'>,
  publicUrl: string,
  { id, workspaceId }: { id: string; workspaceId: string },
): ProviderAccount['webhook_urls'] {
  if (adapter.webhooks === null) return null;
  const path = adapter.webhooks.paths.status
    .replace(':providerId', id)
    .replace(':workspaceId', workspaceId);
  return {
    inbound: adapter.toInboundUrl(publicUrl, { workspaceId, providerId: id }),
    status: publicUrl + path,
  };
}
