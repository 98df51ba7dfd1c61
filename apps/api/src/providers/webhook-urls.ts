import type { ProviderAccount } from '@switchboard/contracts';
import type { ProviderWebhooks } from '@switchboard/core';

/** Returns the webhook URLs that the owner of an account may have to enter at the provider. */
export function toWebhookUrls(
  webhooks: Pick<ProviderWebhooks, 'paths' | 'toInboundUrl'> | null,
  publicUrl: string,
  { id, workspaceId }: { id: string; workspaceId: string },
): ProviderAccount['webhook_urls'] {
  if (webhooks === null) return null;
  const path = webhooks.paths.status
    .replace(':providerId', id)
    .replace(':workspaceId', workspaceId);
  return {
    inbound: webhooks.toInboundUrl(publicUrl, { workspaceId, providerId: id }),
    status: publicUrl + path,
  };
}
