import type { Prisma } from '../generated/client.ts';

/**
 * Serializes changes of a workspace's settings, contacts and texts until the end of the
 * transaction. Deletions take the lock too. Otherwise, a change could write a row that has been
 * deleted since it was read. FOR UPDATE would also block all statements that insert a row with a
 * reference to the workspace.
 */
export async function lockWorkspace(
  tx: Prisma.TransactionClient,
  workspaceId: string,
): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`;
}
