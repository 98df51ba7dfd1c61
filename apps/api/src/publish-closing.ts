import type { BusNotification } from '@switchboard/core';
import type { ClosedAccess } from '@switchboard/database';
import type { FastifyBaseLogger } from 'fastify';

/** Closes the sockets of members and keys. The log keeps who closed the workspace, because its audit trail is deleted. */
export function publishClosing(
  { workspaceId, userIds, apiKeyIds }: { workspaceId: string } & ClosedAccess,
  by: { userId: string; log: Pick<FastifyBaseLogger, 'info'> },
  publishLater: (notification: BusNotification) => void,
): void {
  for (const userId of userIds) publishLater({ kind: 'member_removed', workspaceId, userId });
  for (const apiKeyId of apiKeyIds) publishLater({ kind: 'api_key_revoked', apiKeyId });
  by.log.info({ workspace_id: workspaceId, user_id: by.userId }, 'workspace closed');
}
