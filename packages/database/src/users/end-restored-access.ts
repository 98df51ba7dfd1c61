import type { Database } from '../database.ts';

/** Ends every session and voids every link to an account. Returns how many sessions ended. */
export type EndRestoredAccess = () => Promise<number>;

/**
 * Creates the function for a database that was restored to an earlier state: it has sessions that have been ended since,
 * and links that have been used or replaced since.
 */
export function createEndRestoredAccess({ prisma }: Pick<Database, 'prisma'>): EndRestoredAccess {
  return async () => {
    await prisma.accountToken.deleteMany();
    const { count } = await prisma.session.deleteMany();
    return count;
  };
}
