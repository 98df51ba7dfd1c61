import { writeFile } from 'node:fs/promises';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Writes how often each statement and command ran and how long it took, and then resets the statistics. */
export async function writeStatistics(options: {
  databaseUrl: string;
  redisUrl: string;
  file: string;
}): Promise<void> {
  const [statements, commands] = await Promise.all([
    readStatements(options.databaseUrl),
    readCommands(options.redisUrl),
  ]);
  await writeFile(options.file, [...statements, '', ...commands, ''].join('\n'));
}

interface Statement {
  calls: string;
  rows: string;
  total: number;
  planning: number;
  wal: number;
  query: string;
}

async function readStatements(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const { rows: statements } = await client.query<Statement>(
      `SELECT calls, rows, total_exec_time AS total, total_plan_time AS planning,
         wal_bytes::float8 AS wal, query
       FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 40`,
    );
    const { rows: tables } = await client.query<Record<string, string>>(
      `SELECT relname, n_tup_ins, n_tup_upd, n_tup_hot_upd, n_dead_tup, autovacuum_count
       FROM pg_stat_user_tables WHERE n_tup_ins > 0 ORDER BY n_tup_upd DESC`,
    );
    await client.query('SELECT pg_stat_statements_reset(), pg_stat_reset()');
    return [
      'total ms, calls, rows, kB of WAL, statement',
      ...statements.map(
        ({ total, calls, rows, wal, query }) =>
          `${total.toFixed(0)} ${calls} ${rows} ${(wal / 1024).toFixed(0)} ` +
          query.replace(/\s+/g, ' ').slice(0, 160),
      ),
      '',
      ...tables.map((table) => JSON.stringify(table)),
    ];
  } finally {
    await client.end();
  }
}

async function readCommands(redisUrl: string): Promise<string[]> {
  const redis = new Redis(redisUrl);
  try {
    const text = await redis.info('commandstats');
    await redis.config('RESETSTAT');
    return text.split('\r\n').filter((line) => line.startsWith('cmdstat_'));
  } finally {
    redis.disconnect();
  }
}
