import { numberParameters } from '@switchboard/postgres';
import type pg from 'pg';
import type { WindowStore } from '../window-store.ts';

/** The database's clock, in Unix milliseconds: processes may have different clocks. */
const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Counts in the current window or starts one. A window never ends later than a window that starts
 * now. Otherwise clients would stay locked out after a fast clock is set back.
 */
const COUNT_IN_WINDOW = `
  ON CONFLICT (key) DO UPDATE SET
    points = excluded.points + CASE WHEN w.expire > ${NOW_MS} THEN w.points ELSE 0 END,
    expire = CASE WHEN w.expire > ${NOW_MS} THEN least(w.expire, excluded.expire)
                  ELSE excluded.expire END
  RETURNING key, points, expire`;

// Locks the rows of clients first, then of groups, both in the order of their keys, which prevents
// deadlocks. The table is unlogged, so the commit that releases the locks does not wait for the
// disk.
const COUNT = numberParameters(`
WITH request AS (
  SELECT * FROM unnest(:clients::text[], :requests::int[], :groups::text[]) AS r (client, requests, in_group)
), own AS (
  INSERT INTO rate_limits AS w (key, points, expire)
  SELECT client, requests, ${NOW_MS} + :windowMs::bigint FROM request ORDER BY client
  ${COUNT_IN_WINDOW}
), shared AS (
  INSERT INTO rate_limits AS w (key, points, expire)
  SELECT in_group,
         sum(greatest(0, least(requests, :limit::bigint - (own.points - requests))))::int,
         ${NOW_MS} + :windowMs::bigint
  FROM own JOIN request ON request.client = own.key
  WHERE in_group IS NOT NULL
  GROUP BY in_group ORDER BY in_group
  ${COUNT_IN_WINDOW}
)
SELECT key, points AS counted, (expire - ${NOW_MS})::float8 AS ms_left FROM own
UNION ALL
SELECT key, points, (expire - ${NOW_MS})::float8 FROM shared`);

const REMOVE_COUNT = `
UPDATE rate_limits SET points = points - 1
WHERE key = $1 AND points > 0 AND expire > ${NOW_MS}`;

// Skips locked rows, so that it cannot deadlock with statements that count.
const DELETE_ENDED = `
DELETE FROM rate_limits WHERE key IN (
  SELECT key FROM rate_limits WHERE expire < ${NOW_MS} FOR UPDATE SKIP LOCKED
)`;

/** Counts in PostgreSQL, by its clock, with one statement per batch. */
export function createCountInPostgres(pool: pg.Pool, keyPrefix: string): WindowStore {
  const keyOf = (name: string) => `${keyPrefix}:${name}`;
  return {
    async count(clients, { windowMs, limit }) {
      const values: Record<string, unknown> = {
        clients: clients.map(({ client }) => keyOf(client)),
        requests: clients.map(({ requests }) => requests),
        groups: clients.map(({ group }) => (group === null ? null : keyOf(group))),
        windowMs,
        limit,
      };
      const { rows } = await pool.query<{ key: string; counted: number; ms_left: number }>({
        name: 'count_requests',
        text: COUNT.numbered,
        values: COUNT.names.map((name) => values[name]),
      });
      return new Map(
        rows.map(({ key, counted, ms_left }) => [
          key.slice(keyPrefix.length + 1),
          { counted, msLeft: ms_left },
        ]),
      );
    },

    async removeCount(client) {
      await pool.query(REMOVE_COUNT, [keyOf(client)]);
    },
  };
}

export async function deleteEndedWindows(pool: pg.Pool): Promise<void> {
  await pool.query(DELETE_ENDED);
}
