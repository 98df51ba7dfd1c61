import { createPgClient } from '@switchboard/postgres';
import { type TestDatabase, createTestDatabase, startPgBouncer } from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

const TIMEOUT_MS = 60_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const name = new URL(database.url).pathname.slice(1);
  await query(
    database.url,
    `ALTER DATABASE "${name}" SET datestyle TO 'SQL, DMY';
     ALTER DATABASE "${name}" SET timezone TO 'Asia/Kathmandu';
     ALTER DATABASE "${name}" SET default_transaction_isolation TO 'repeatable read'`,
  );
});
afterAll(() => database.drop());

async function query(url: string, text: string): Promise<unknown[]> {
  const client = createPgClient(url, { connectionTimeoutMillis: TIMEOUT_MS });
  await client.connect();
  try {
    return (await client.query<never>(text)).rows;
  } finally {
    await client.end();
  }
}

const READ = `SELECT '2026-02-01T00:00:00Z'::timestamptz::text AS time`;
const ISO = [{ time: '2026-02-01 00:00:00+00' }];

test('a session has the parameters that the code relies on, whatever the database’s own defaults are', async () => {
  expect(await query(database.url, READ)).toEqual(ISO);
  expect(await query(database.url, 'SHOW transaction_isolation')).toEqual([
    { transaction_isolation: 'read committed' },
  ]);
  expect(await query(`${database.url}?currentSchema=mine`, 'SHOW search_path')).toEqual([
    { search_path: '"mine"' },
  ]);
});

test('a session through PgBouncer has the parameters of dates too', async () => {
  const bouncer = await startPgBouncer({ databaseUrl: database.url });
  onTestFinished(() => bouncer.close());
  expect(await query(bouncer.url, READ)).toEqual(ISO);
});

test('an error about the certificate of PostgreSQL says what to correct', async () => {
  const client = createPgClient(database.url, { connectionTimeoutMillis: TIMEOUT_MS });
  const failure = Object.assign(new Error('self-signed certificate in certificate chain'), {
    code: 'SELF_SIGNED_CERT_IN_CHAIN',
  });
  const connecting = client.connect();
  // The error does not close the connection, which would otherwise last until the database is dropped.
  onTestFinished(() => client.end());
  client.connection.emit('error', failure);
  await expect(connecting).rejects.toThrow(
    /^the certificate of PostgreSQL is refused: its CA is unknown; set sslrootcert/,
  );
});
