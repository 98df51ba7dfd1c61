import { startPostgres } from '@switchboard/testing';
import pg from 'pg';
import { expect, test } from 'vitest';

async function countUsers(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query('SELECT count(*)::int AS users FROM users')).rows[0];
  } finally {
    await client.end();
  }
}

test('a PostgreSQL of its own can be stopped, crashed and started again at one address', async () => {
  const server = await startPostgres();
  expect(await countUsers(server.url)).toEqual({ users: 0 });
  await server.stop();
  await expect(countUsers(server.url)).rejects.toThrow(/ECONNREFUSED/);
  await server.start();
  await server.kill();
  await expect(countUsers(server.url)).rejects.toThrow(/ECONNREFUSED/);
  await server.start();
  expect(await countUsers(server.url)).toEqual({ users: 0 });
  await server.close();
});
