import type pg from 'pg';

/** Those that grow without end. */
export type GrowingTable = 'messages' | 'message_events';

/**
 * From this size on no plan reads the whole table for a batch of ids, however the server weighs
 * random reads: 256 pages cost it 300 and more, the index 100 or less.
 */
const GROWN_BYTES = 2 * 1024 * 1024;
const LOOK_EVERY_MS = 2_000;

interface Look {
  grown: Set<string>;
  nextAt: number;
}

const looks = new WeakMap<pg.Pool, Look>();

/**
 * Whether a table was so large, when it was last looked at, that a plan made now stays right. A plan
 * made on a small table reads all of it, and PostgreSQL keeps that plan until it analyses the table
 * next: a minute in which the table may grow a thousandfold.
 */
export function hasGrown(pool: pg.Pool, table: GrowingTable): boolean {
  let look = looks.get(pool);
  if (look === undefined) {
    look = { grown: new Set(), nextAt: 0 };
    looks.set(pool, look);
  }
  if (!look.grown.has(table) && performance.now() >= look.nextAt) {
    look.nextAt = performance.now() + LOOK_EVERY_MS;
    void lookAgain(pool, look);
  }
  return look.grown.has(table);
}

async function lookAgain(pool: pg.Pool, look: Look): Promise<void> {
  try {
    const { rows } = await pool.query<{ name: GrowingTable }>(
      `SELECT name FROM unnest(ARRAY['messages', 'message_events']) AS name
       WHERE pg_relation_size(name::regclass) >= $1`,
      [GROWN_BYTES],
    );
    for (const { name } of rows) look.grown.add(name);
  } catch {
    // Without an answer plans are made anew each time, as before; the next look asks again.
  }
}
