import pg from 'pg';

/** Sends SIGSTOP to every process that serves a connection and to the one that accepts new ones. */
export async function pausePostgres(url: string): Promise<{ resume(): void }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
       UNION ALL
       SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int`,
    );
    for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
    return {
      resume() {
        for (const { pid } of rows) process.kill(pid, 'SIGCONT');
      },
    };
  } finally {
    await client.end();
  }
}
