import type { BenchEnvironment } from './open-environment.ts';

/** What a commit costs on an ordinary network disk. */
const DELAY_MICROS = 5_000;

/**
 * Makes each commit of this database take 5 ms longer, or no longer than the disk needs, for connections
 * that are opened from now on.
 */
export async function setSlowCommits(
  { query, databaseUrl }: BenchEnvironment,
  isSlow: boolean,
): Promise<void> {
  const database = `"${new URL(databaseUrl).pathname.slice(1)}"`;
  // Unless commit_siblings is 0, PostgreSQL does not wait while no other transaction is open.
  await query(`ALTER DATABASE ${database} SET commit_siblings = 0`);
  await query(`ALTER DATABASE ${database} SET commit_delay = ${isSlow ? DELAY_MICROS : 0}`);
}
