import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY, startPostgres } from '@switchboard/testing';
import pg from 'pg';
import { expect, test } from 'vitest';

async function countUsers(url: string): Promise<unknown> {
  return (await execute(url, 'SELECT count(*)::int AS users FROM users'))[0];
}

async function execute(url: string, sql: string): Promise<unknown[]> {
  return useClient(url, async (client) => (await client.query<pg.QueryResultRow>(sql)).rows);
}

async function useClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Lets the clients of this process read all that has arrived. A late timer fires before they do. */
async function readAll(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await turn();
}

/** What a client sees of a server that does not run: it refuses, or resets as it ends. */
const NO_SERVER = /ECONNREFUSED|ECONNRESET/;

test('a dedicated PostgreSQL can be stopped, crashed and restarted at the same address', async () => {
  const server = await startPostgres();
  expect(await countUsers(server.url)).toEqual({ users: 0 });
  await server.stop();
  await expect(countUsers(server.url)).rejects.toThrow(NO_SERVER);
  await server.start();
  await server.kill();
  await expect(countUsers(server.url)).rejects.toThrow(NO_SERVER);
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

test('a paused PostgreSQL answers no client, not even one that was connecting, until it is resumed', async () => {
  const server = await startPostgres();
  let answers = 0;
  let isPaused = false;
  let isOver = false;
  async function ask(client: pg.Client): Promise<void> {
    do {
      await client.query('SELECT 1');
      answers += 1;
    } while (isPaused);
  }
  const clients = Array.from({ length: 8 }, async () => {
    while (!isOver) await useClient(server.url, ask);
  });
  for (let round = 1; round <= 5; round += 1) {
    const before = answers;
    await expect.poll(() => answers, EVENTUALLY).toBeGreaterThan(before + 8);
    await server.pause();
    isPaused = true;
    await readAll(); // The clients read what the server sent before the pause.
    const paused = answers;
    await delay(300);
    await readAll();
    expect(answers).toBe(paused);
    isPaused = false;
    server.resume();
  }
  isOver = true;
  await Promise.all(clients);
  await server.close();
});
