import type { Prisma } from '../generated/client.ts';

/**
 * Serializes changes of a workspace's settings, contacts and texts until the end of the transaction. A deletion is
 * a change too: otherwise a change would write a row that it has read and that is gone. FOR UPDATE would also block
 * all statements that store a row with a reference to the workspace.
 */
export async function lockWorkspace(
  tx: Prisma.TransactionClient,
  workspaceId: string,
): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`;
}
