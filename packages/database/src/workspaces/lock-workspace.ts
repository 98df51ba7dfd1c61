import type { Prisma } from '../generated/client.ts';

/** Serializes changes that count rows before they add one. Storing messages does not wait for it. */
export async function lockWorkspace(
  tx: Prisma.TransactionClient,
  workspaceId: string,
): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`;
}
