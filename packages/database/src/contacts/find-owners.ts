import type { Prisma } from '../generated/client.ts';

/** Finds the contacts that have one of these numbers, within a transaction that has locked the workspace. */
export function findOwners(tx: Prisma.TransactionClient, workspaceId: string, numbers: string[]) {
  return tx.contact.findMany({
    where: {
      workspaceId,
      OR: [{ number: { in: numbers } }, { otherNumbers: { hasSome: numbers } }],
    },
    omit: { workspaceId: true, searchText: true },
  });
}

/**
 * Another contact already has the first number of a contact (`number_exists`), or one of its other
 * numbers.
 */
export type NumberTaken = 'number_exists' | 'other_number_exists';

/**
 * Returns which of the numbers another contact already has; null if none.
 *
 * @param ownId the contact that is being changed; its own numbers do not count as taken
 */
export async function findTaken(
  tx: Prisma.TransactionClient,
  workspaceId: string,
  contact: { number: string; otherNumbers: readonly string[] },
  ownId: string | null = null,
): Promise<NumberTaken | null> {
  const { number, otherNumbers } = contact;
  const owners = await findOwners(tx, workspaceId, [number, ...otherNumbers]);
  const others = owners.filter(({ id }) => id !== ownId);
  if (others.length === 0) return null;
  const taken = others.flatMap((other) => [other.number, ...other.otherNumbers]);
  return taken.includes(number) ? 'number_exists' : 'other_number_exists';
}
