import { QUOTAS } from '@switchboard/core';
import type { Prisma } from '../generated/client.ts';

interface Account {
  workspaceId: string;
  vendorAccountId: string;
}

/** Keeps the id of an account that is removed. Only the latest ones of a workspace are kept. */
export async function keepRemovedId(
  tx: Prisma.TransactionClient,
  { workspaceId, vendorAccountId, id: providerId }: Account & { id: string },
): Promise<void> {
  await tx.removedAccount.upsert({
    where: { workspaceId_vendorAccountId: { workspaceId, vendorAccountId } },
    create: { workspaceId, vendorAccountId, providerId },
    update: { providerId, removedAt: new Date() },
  });
  const old = await tx.removedAccount.findMany({
    where: { workspaceId },
    orderBy: [{ removedAt: 'desc' }, { vendorAccountId: 'asc' }],
    skip: QUOTAS.removedProvidersPerWorkspace,
    select: { vendorAccountId: true },
  });
  await tx.removedAccount.deleteMany({
    where: { workspaceId, vendorAccountId: { in: old.map((each) => each.vendorAccountId) } },
  });
}

/** Returns the id that a new account had before it was removed; null if it is unknown. */
export async function takeRemovedId(
  tx: Prisma.TransactionClient,
  account: Account,
): Promise<string | null> {
  const where = { workspaceId: account.workspaceId, vendorAccountId: account.vendorAccountId };
  const kept = await tx.removedAccount.findFirst({ where });
  if (kept === null) return null;
  await tx.removedAccount.deleteMany({ where });
  return kept.providerId;
}
