import pg from 'pg';

/** What a commit costs on an ordinary network disk. */
const DELAY_MICROS = 5_000;

/**
 * Makes each commit of this database take 5 ms longer, or no longer than the disk needs, for connections
 * that are opened from now on.
 */
export async function setSlowCommits(databaseUrl: string, isSlow: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const name = client.escapeIdentifier(client.database ?? '');
    // Unless commit_siblings is 0, PostgreSQL does not wait while no other transaction is open.
    await client.query(`ALTER DATABASE ${name} SET commit_siblings = 0`);
    await client.query(`ALTER DATABASE ${name} SET commit_delay = ${isSlow ? DELAY_MICROS : 0}`);
  } finally {
    await client.end();
  }
}
