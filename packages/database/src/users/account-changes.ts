import type { AuditAction } from '@switchboard/core';
import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';

/** Records a change of a user's account in the transaction of the change. */
export type RecordOfUser = (
  userId: string,
  action: AuditAction,
  detail: Prisma.InputJsonObject,
  by?: 'operator',
) => Promise<void>;

/**
 * Runs a transaction on the tables of accounts. The audit trails of the user's workspaces are in tables of workspaces, which no
 * such transaction may touch, because users may be in another database. So what it records is copied there afterwards;
 * what a process that ends in between leaves, or a copy that fails, is copied by a worker.
 */
export async function changeAccount<Result>(
  prisma: Database['prisma'],
  work: (tx: Prisma.TransactionClient, record: RecordOfUser) => Promise<Result>,
): Promise<Result> {
  const changed = new Set<string>();
  const result = await prisma.$transaction((tx) =>
    work(tx, async (userId, action, detail, by) => {
      const byOperator = by === 'operator';
      await tx.accountChange.createMany({ data: { userId, action, detail, byOperator } });
      changed.add(userId);
    }),
  );
  for (const userId of changed) {
    await copyChanges(prisma, { where: { userId } }).catch(() => undefined);
  }
  return result;
}

const BATCH_SIZE = 100;

/** Creates the function that copies changes of accounts to the audit trails; it returns whether there are more. */
export function createRelayAccountChanges({ prisma }: Pick<Database, 'prisma'>) {
  return async function relayAccountChanges(): Promise<boolean> {
    return (await copyChanges(prisma, { take: BATCH_SIZE })) === BATCH_SIZE;
  };
}

/** Copies changes in their order; each is deleted when all workspaces of the user have it. Returns their number. */
async function copyChanges(
  prisma: Database['prisma'],
  query: Pick<Prisma.AccountChangeFindManyArgs, 'where' | 'take'>,
): Promise<number> {
  const changes = await prisma.accountChange.findMany({ ...query, orderBy: { id: 'asc' } });
  for (const { byOperator, ...change } of changes) {
    const { id, userId, detail } = change;
    const memberships = await prisma.member.findMany({
      where: { userId },
      select: { workspaceId: true },
    });
    for (const { workspaceId } of memberships) {
      await recordAudit(prisma, byOperator ? OPERATOR : { kind: 'user', userId }, {
        id,
        at: change.at,
        workspaceId,
        // Only `changeAccount` writes these columns.
        action: change.action as AuditAction,
        target: userId,
        detail: detail as Prisma.InputJsonObject,
      });
    }
    await prisma.accountChange.deleteMany({ where: { id } });
  }
  return changes.length;
}
