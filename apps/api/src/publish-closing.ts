import type { BusNotification } from '@switchboard/core';
import type { ClosedAccess } from '@switchboard/database';

/** Closes the sockets of members and keys. */
export function publishClosing(
  workspaceId: string,
  { userIds, apiKeyIds }: ClosedAccess,
  publishLater: (notification: BusNotification) => void,
): void {
  for (const userId of userIds) publishLater({ kind: 'member_removed', workspaceId, userId });
  for (const apiKeyId of apiKeyIds) publishLater({ kind: 'api_key_revoked', apiKeyId });
}
