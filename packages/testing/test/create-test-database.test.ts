import { createTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { expect, test } from 'vitest';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

test('test databases are isolated from each other', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await query(one.url, 'CREATE TABLE mine AS SELECT 1 AS one');
  expect(await query(other.url, "SELECT to_regclass('mine')")).toEqual([null]);
  await Promise.all([one.drop(), other.drop()]);
  await expect(query(one.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
});

test('a test database has the schema of the service and the queue unless it is created empty', async () => {
  const [migrated, empty] = await Promise.all([
    createTestDatabase(),
    createTestDatabase({ empty: true }),
  ]);
  const tables = "SELECT to_regclass('messages')::text, to_regclass('bullmq.job')::text";
  expect(await query(migrated.url, tables)).toEqual(['messages', 'bullmq.job']);
  expect(await query(empty.url, tables)).toEqual([null, null]);
  await Promise.all([migrated.drop(), empty.drop()]);
});

test('dropping a test database closes its connections', async () => {
  const { url, drop } = await createTestDatabase({ empty: true });
  const client = new pg.Client(url);
  const ended = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await drop();
  expect(String(await ended)).toMatch(/terminat/);
});
