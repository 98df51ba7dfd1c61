import type { Prisma } from '../generated/client.ts';

/**
 * Ends all sessions of the user except one, and returns their ids, so that their sockets are closed.
 */
export async function endOtherSessions(
  client: Pick<Prisma.TransactionClient, '$queryRaw'>,
  userId: string,
  keepId: string,
): Promise<string[]> {
  const ended = await client.$queryRaw<{ id: string }[]>`
    DELETE FROM sessions WHERE user_id = ${userId}::uuid AND id <> ${keepId}::uuid RETURNING id`;
  return ended.map(({ id }) => id);
}
