import { EVENTUALLY, type PatroniCluster, startPatroni } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Well above Patroni's ttl: the Patroni of the old primary returns when another server is the primary. */
const ISOLATED_MS = 40_000;
const COMMIT_TIMEOUT_MS = 5_000;
const PROMOTED_WITHIN_MS = 35_000;

let cluster: PatroniCluster;

beforeAll(async () => {
  cluster = await startPatroni();
});

afterAll(() => cluster?.close());

async function query<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString, query_timeout: COMMIT_TIMEOUT_MS });
  client.on('error', () => undefined); // the query rejects
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    client.end().catch(() => undefined);
    setImmediate(() => client.connection.stream.destroy());
  }
}

test('an old primary whose Patroni was killed continues as primary, completes no commit, and loses its writes', async () => {
  const oldUrl = await cluster.primaryUrl();
  await query(oldUrl, 'CREATE TABLE proof (text text PRIMARY KEY)');
  await query(oldUrl, `INSERT INTO proof VALUES ('before')`);

  const failingOver = cluster.failOver('patroni_killed', ISOLATED_MS);
  await expect
    .poll(() => cluster.primaryUrl().catch(() => oldUrl), { timeout: PROMOTED_WITHIN_MS })
    .not.toBe(oldUrl);
  const newUrl = await cluster.primaryUrl();
  // The new primary has the leader lock before its promotion is over, and its first commits wait for a
  // standby.
  const insert = `INSERT INTO proof VALUES ('on the new primary') ON CONFLICT DO NOTHING`;
  await expect
    .poll(() => query(newUrl, insert).then(() => 'stored', String), EVENTUALLY)
    .toBe('stored');

  expect(await query(oldUrl, 'SELECT pg_is_in_recovery() AS "isStandby"')).toEqual([
    { isStandby: false },
  ]);
  await expect(query(oldUrl, `INSERT INTO proof VALUES ('on the old one')`)).rejects.toThrow(
    'Query read timeout',
  );
  expect(await query(oldUrl, 'SELECT text FROM proof')).toEqual([{ text: 'before' }]);

  await failingOver;
  expect(await query(newUrl, 'SELECT text FROM proof ORDER BY text')).toEqual([
    { text: 'before' },
    { text: 'on the new primary' },
  ]);
});
