import { startPostgres } from '@switchboard/testing';
import pg from 'pg';
import { expect, test } from 'vitest';

async function countUsers(url: string): Promise<unknown> {
  return (await execute(url, 'SELECT count(*)::int AS users FROM users'))[0];
}

async function execute(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  await client.connect();
  try {
    return (await client.query<pg.QueryResultRow>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('a dedicated PostgreSQL can be stopped, crashed and restarted at the same address', async () => {
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

test('a PostgreSQL restored from a backup has exactly the data committed before the backup', async () => {
  const server = await startPostgres();
  await execute(server.url, 'CREATE TABLE restored (text text)');
  await execute(server.url, `INSERT INTO restored VALUES ('before')`);
  await server.backUp();
  await execute(server.url, `INSERT INTO restored VALUES ('after')`);
  await server.restore();
  expect(await execute(server.url, 'SELECT text FROM restored')).toEqual([{ text: 'before' }]);
  await server.close();
});
