import { createTestDatabase, startApi } from '@switchboard/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from './start-service.ts';

test('the API refuses to start on a database with an older schema and says what to do', async () => {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.drop());
  await expect(startApi({ DATABASE_URL: database.url })).rejects.toThrow(
    /older than this version: run `npm run migrate` first \(\d+_baseline/,
  );
});

test('the API starts on a database with additions of a later version', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await recordMigration(database.url, '99990101000000_next');
  const api = await startApi({ DATABASE_URL: database.url });
  onTestFinished(() => api.stop());
  expect((await ask(api.url, '/health/ready')).status).toBe(200);
});

test('the API refuses to start on a database from which a later version removed what it needs', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await recordMigration(database.url, '99990101000000_drop_body_needs_99980101000000');
  await expect(startApi({ DATABASE_URL: database.url })).rejects.toThrow(
    /99990101000000_drop_body_needs_99980101000000 removed what this version needs/,
  );
});

async function recordMigration(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       VALUES ('later', '', $1, now())`,
      [name],
    );
  } finally {
    await client.end();
  }
}
