import pg from 'pg';

/**
 * Finds a server's own error among the causes of a failed connection. With several hosts, each has its own
 * cause. Returns null if no server responded.
 */
export function findRefusal(error: unknown): pg.DatabaseError | null {
  if (error instanceof pg.DatabaseError) return error;
  if (!(error instanceof Error)) return null;
  const causes: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return causes.map(findRefusal).find((one) => one !== null) ?? null;
}
