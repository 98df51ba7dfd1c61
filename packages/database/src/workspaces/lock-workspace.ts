import type { Prisma } from '../generated/client.ts';

/** Lets changes that count before they add take turns. Messages are stored meanwhile. */
export async function lockWorkspace(
  tx: Prisma.TransactionClient,
  workspaceId: string,
): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`;
}
