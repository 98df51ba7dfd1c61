import type { AuditAction } from '@switchboard/core';
import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';

export type AccountDatabase = Pick<Database, 'prisma' | 'reportError'>;

/** Records a change of a user's account in the transaction of the change, with the address of the client. */
export type RecordOfUser = (
  userId: string,
  action: AuditAction,
  by: { ip: string } | 'operator',
  detail?: Prisma.InputJsonObject,
) => Promise<void>;

/**
 * Runs a transaction on the tables of accounts. The audit trails of the user's workspaces are in tables of workspaces, which no
 * such transaction may touch, because users may be in another database. So what it records is copied there afterwards;
 * what a process that ends in between leaves, or a copy that fails, is copied by a worker. `user` finds the user who is changed.
 */
export async function changeAccount<Result>(
  { prisma, reportError }: AccountDatabase,
  user: Prisma.UserWhereInput,
  work: (tx: Prisma.TransactionClient, record: RecordOfUser) => Promise<Result>,
): Promise<Result> {
  const workspaceIds = await listWorkspacesOf(prisma, user);
  const changed = new Set<string>();
  const result = await prisma.$transaction((tx) =>
    work(tx, async (userId, action, by, detail = {}) => {
      const byOperator = by === 'operator';
      const ip = byOperator ? null : by.ip;
      const change = { userId, action, detail, byOperator, ip, workspaceIds };
      await tx.accountChange.createMany({ data: change });
      changed.add(userId);
    }),
  );
  for (const userId of changed) {
    await copyChanges(prisma, { where: { userId } }).catch(reportError);
  }
  return result;
}

/** Finds the user of a link. */
export const withToken = (tokenHash: Buffer): Prisma.UserWhereInput => ({
  tokens: { some: { tokenHash: new Uint8Array(tokenHash) } },
});

/** Lists the workspaces whose trails get the change: a copy that comes later must not reach those that the user joins since. */
async function listWorkspacesOf(
  prisma: Database['prisma'],
  where: Prisma.UserWhereInput,
): Promise<string[]> {
  const user = await prisma.user.findFirst({ where, select: { id: true } });
  if (user === null) return [];
  const memberships = await prisma.member.findMany({
    where: { userId: user.id },
    select: { workspaceId: true },
  });
  return memberships.map(({ workspaceId }) => workspaceId);
}

const BATCH_SIZE = 100;

/** Creates the function that copies changes of accounts to the audit trails; it returns whether there are more. */
export function createRelayAccountChanges({ prisma }: Pick<Database, 'prisma'>) {
  return async function relayAccountChanges(): Promise<boolean> {
    return (await copyChanges(prisma, { take: BATCH_SIZE })) === BATCH_SIZE;
  };
}

/** Copies changes in their order; each is deleted when all its workspaces have it. Returns their number. */
async function copyChanges(
  prisma: Database['prisma'],
  query: Pick<Prisma.AccountChangeFindManyArgs, 'where' | 'take'>,
): Promise<number> {
  const changes = await prisma.accountChange.findMany({ ...query, orderBy: { id: 'asc' } });
  for (const { byOperator, workspaceIds, ...change } of changes) {
    const { id, userId, detail, ip } = change;
    const present = await prisma.workspace.findMany({
      where: { id: { in: workspaceIds } },
      select: { id: true },
    });
    for (const { id: workspaceId } of present) {
      await recordAudit(prisma, byOperator ? OPERATOR : { kind: 'user', userId, ip }, {
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
