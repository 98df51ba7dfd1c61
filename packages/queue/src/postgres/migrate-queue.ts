import { runMigrations } from 'bullmq';
import { createPgClient, parsePostgresUrl } from '@switchboard/postgres';
import type pg from 'pg';

/** Includes the wait for another process that migrates. */
const TIMEOUT_MS = 60_000;

/**
 * Migrates the schema of BullMQ's PostgreSQL backend. Safe to repeat and to run in parallel:
 * BullMQ does it in one transaction under an advisory lock of its own.
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const client = createPgClient(databaseUrl, {
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
  });
  await client.connect();
  try {
    const schema = parsePostgresUrl(databaseUrl).queueSchema;
    await runMigrations(client, schema);
    await vacuumSooner(client, schema);
  } finally {
    await client.end();
  }
}

/**
 * Each job is inserted, claimed and deleted, so most rows are dead, and claims slow down with them.
 * Autovacuum's default threshold, a fifth of the live rows, does not suit such a table.
 */
async function vacuumSooner(client: pg.Client, schema: string): Promise<void> {
  for (const table of ['job', 'event']) {
    await client.query(
      `ALTER TABLE "${schema}".${table} SET (
         autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
         autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000)`,
    );
  }
}
