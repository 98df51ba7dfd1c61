import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createUuidV7 } from '@switchboard/core';
import { type TestDatabase, createTestDatabase, openTestDatabase } from '@switchboard/testing';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, createMessageStore } from '../src/index.ts';
import { insertMessages } from '../src/messages/acceptance/insert-messages.ts';

const DAY_MS = 86_400_000;
const STATUSES = ['queued', 'sent', 'delivered', 'failed', 'received'];

let testDatabase: TestDatabase;
let database: Database;
let workspaces: string[];

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  workspaces = await addWorkspaces(database.pool, 3);
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

async function addWorkspaces(pool: pg.Pool, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO workspaces (id, name, created_at)
     SELECT gen_random_uuid(), 'Counted', now() FROM generate_series(1, $1) RETURNING id`,
    [count],
  );
  return rows.map((row) => row.id);
}

/** Returns the differences between stored and actual counts, both in one snapshot. */
async function findDifferences(pool: pg.Pool): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT * FROM (
       SELECT workspace_id, uuid_v7_day(id) AS day, direction, status, count(*) AS n
       FROM messages GROUP BY 1, 2, 3, 4) found
     FULL JOIN (
       SELECT workspace_id, day, direction, status, sum(n) AS kept FROM all_message_counts
       GROUP BY 1, 2, 3, 4) counts
       USING (workspace_id, day, direction, status)
     WHERE COALESCE(n, 0) <> COALESCE(kept, 0)`,
  );
  return rows;
}

async function readTotal(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT COALESCE(sum(n), 0)::bigint AS n FROM all_message_counts`,
  );
  return rows[0]?.n ?? -1;
}

function pick<T>(from: readonly T[]): T {
  const picked = from[randomInt(from.length)];
  if (picked === undefined) throw new Error('There is nothing to pick from.');
  return picked;
}

/** Inserts messages of the last few days in all workspaces, directions and statuses. */
async function insert(pool: Pick<pg.Pool, 'query'>, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const at = Date.now() - randomInt(3 * DAY_MS);
    return { id: createUuidV7(at), at: new Date(at), workspaceId: pick(workspaces) };
  });
  await pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, status, created_at,
       updated_at, dispatch)
     SELECT id, workspace_id, direction::direction, '+15550001111', 'Hello', 1,
       status::message_status, at, at, 'accepted'
     FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[])
       AS t(id, at, workspace_id, direction, status)`,
    [
      rows.map((row) => row.id),
      rows.map((row) => row.at),
      rows.map((row) => row.workspaceId),
      rows.map(() => pick(['inbound', 'outbound'])),
      rows.map(() => pick(STATUSES)),
    ],
  );
}

// Rows are locked in the order of their ids, as in the service, so that only counts can deadlock.
const SOME_ROWS = `
  WITH chosen AS (
    SELECT id FROM message_records
    WHERE abs(hashtext(id::text)) % 7 = $1 AND status IS NOT NULL ORDER BY id LIMIT $2 FOR UPDATE)`;

const CHANGES: ((pool: pg.Pool) => Promise<unknown>)[] = [
  (pool) => insert(pool, 1 + randomInt(30)),
  (pool) =>
    pool.query(
      `${SOME_ROWS} UPDATE message_records m SET status = $3::message_status FROM chosen WHERE m.id = chosen.id`,
      [randomInt(7), randomInt(40), pick(STATUSES)],
    ),
  // Half of them are changed, in different ways.
  (pool) =>
    pool.query(
      `${SOME_ROWS} UPDATE message_records m SET version = version + 1,
         status = CASE version % 2 WHEN 0 THEN m.status ELSE $3::message_status END
       FROM chosen WHERE m.id = chosen.id`,
      [randomInt(7), randomInt(40), pick(STATUSES)],
    ),
  (pool) =>
    pool.query(`${SOME_ROWS} DELETE FROM message_records m USING chosen WHERE m.id = chosen.id`, [
      randomInt(7),
      randomInt(10),
    ]),
  async (pool) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await insert(client, 5);
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
  },
  // Like the API, with many messages in one statement.
  async (pool) => {
    const store = createMessageStore(
      { pool, numbering: { value: 0 } },
      { leaseMs: 60_000, hintGraceMs: 1_000 },
    );
    await Promise.all(
      Array.from({ length: 5 }, () => {
        const createdAt = new Date();
        return store.accept({
          id: createUuidV7(createdAt.getTime()),
          createdAt,
          workspaceId: pick(workspaces),
          to: '+15550001111',
          from: null,
          body: 'Hello',
          media: [],
          segments: 1,
          scheduledAt: null,
          requestId: randomUUID(),
          idempotency: null,
        });
      }),
    );
  },
];

describe('the stored counts', () => {
  test('stored counts equal count(*) at every moment while many connections change messages', async () => {
    let isChanging = true;
    const watched = (async () => {
      const seen: unknown[] = [];
      while (isChanging) {
        seen.push(...(await findDifferences(database.pool)));
        await delay(5);
      }
      return seen;
    })();
    try {
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          for (let change = 0; change < 40; change += 1) await pick(CHANGES)(database.pool);
        }),
      );
    } finally {
      isChanging = false;
    }
    expect(await watched).toEqual([]);
    expect(await findDifferences(database.pool)).toEqual([]);
    expect(await readTotal(database.pool)).toBeGreaterThan(100);
  });

  test('stored counts are not written when no message changes its direction or status', async () => {
    await insert(database.pool, 50);
    const versions = async () =>
      (await database.pool.query('SELECT *, xmin, ctid FROM message_counts ORDER BY 1, 2, 3, 4'))
        .rows;
    const before = await versions();
    const { rowCount } = await database.pool.query(
      `UPDATE message_records SET version = version + 1, dispatch = 'unknown'`,
    );
    expect(rowCount).toBe(50);
    expect(await versions()).toEqual(before);
  });

  test('stored counts contain what a transaction changes after a statement that counts its own messages', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      const id = createUuidV7(Date.now());
      const stored = await insertMessages(
        async (statement, values) =>
          (await client.query(typeof statement === 'string' ? statement : statement.text, values))
            .rows,
        [
          {
            id,
            createdAt: new Date(),
            workspaceId: pick(workspaces),
            to: '+15550001111',
            from: null,
            body: 'Hello',
            media: [],
            segments: 1,
            scheduledAt: null,
            requestId: randomUUID(),
            idempotency: null,
            preferred: null,
          },
        ],
        { hintGraceMs: 1_000, toForms: () => null, lockTimeoutMs: 60_000, numbering: 3 },
      );
      expect(stored).toMatchObject([{ kind: 'stored' }]);
      await client.query(`UPDATE message_progress SET status = 'sent' WHERE id = $1`, [id]);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    expect(await findDifferences(database.pool)).toEqual([]);
    expect(await readTotal(database.pool)).toBe(1);
  });

  test('stored counts follow a message to another day and workspace, and are empty after the table is truncated', async () => {
    await insert(database.pool, 20);
    await database.pool.query(
      'UPDATE message_records SET id = uuid_v7(now() + $1), workspace_id = $2',
      ['10 days', workspaces[0]],
    );
    expect(await findDifferences(database.pool)).toEqual([]);
    expect(await readTotal(database.pool)).toBe(20);
    await database.pool.query('TRUNCATE message_records');
    expect(await readTotal(database.pool)).toBe(0);
  });
});
