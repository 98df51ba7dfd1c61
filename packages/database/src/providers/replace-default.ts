import type { Prisma } from '../generated/client.ts';

/** Makes an account the default one. The previous default, if there is one, keeps its numbers. */
export async function replaceDefault(
  tx: Prisma.TransactionClient,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<void> {
  const previous = await tx.providerAccount.findFirst({ where: { workspaceId, isDefault: true } });
  if (previous !== null) {
    await tx.phoneNumber.updateMany({
      where: { workspaceId, providerId: null },
      data: { providerId: previous.id },
    });
    // Before the new default: an index permits one in each workspace.
    await tx.providerAccount.update({
      where: { workspaceId_id: { workspaceId, id: previous.id } },
      data: { isDefault: false },
    });
  }
  const routing = await tx.workspaceRouting.findUnique({ where: { workspaceId } });
  const isRouted = routing !== null && JSON.stringify(routing.rules) !== '[]';
  await tx.providerAccount.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { isDefault: true, isRouted },
  });
}
