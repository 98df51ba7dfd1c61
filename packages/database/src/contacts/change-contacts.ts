import { QUOTAS } from '@switchboard/core';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

/** The change would give the contacts of the workspace more field names than its quota. */
export type FieldNamesExceeded = 'field_names_exceeded';

/**
 * Runs a change of a workspace's contacts in a transaction, one at a time. A change that adds field
 * names beyond the quota is rolled back. A workspace that has more names, from before the quota, may
 * keep them.
 *
 * @param isDryRun rolls the change back in any case, after all checks
 */
export async function changeContacts<Result>(
  prisma: Database['prisma'],
  workspaceId: string,
  change: (tx: Prisma.TransactionClient) => Promise<Result>,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<Result | FieldNamesExceeded> {
  let outcome: { result: Result | FieldNamesExceeded } | undefined;
  try {
    return await prisma.$transaction(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const countNames = () => tx.contactFieldName.count({ where: { workspaceId } });
      const before = await countNames();
      const result = await change(tx);
      const isExceeded =
        (await countNames()) > Math.max(before, QUOTAS.contactFieldNamesPerWorkspace);
      if (!isExceeded && !isDryRun) return result;
      outcome = { result: isExceeded ? 'field_names_exceeded' : result };
      throw new Error('the change of the contacts is rolled back');
    });
  } catch (error) {
    if (outcome === undefined) throw error;
    return outcome.result;
  }
}
