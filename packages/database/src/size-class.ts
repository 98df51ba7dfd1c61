import type pg from 'pg';

/** Those that grow without end. */
export type GrowingTable = 'messages' | 'message_events';

/**
 * A plan made on a small table reads all of it, and PostgreSQL keeps that plan until it analyses the
 * table next: a minute in which the table may grow a thousandfold. So plans are made anew when the
 * table has passed one of these sizes, and none reads all of more than four times what it was made
 * for. Beyond the last one no plan reads the whole table for a batch of ids, however the server
 * weighs random reads: 256 pages cost it 300 and more, the index 100 or less.
 */
const SIZES_BYTES = [128 * 1024, 512 * 1024, 2 * 1024 * 1024];
const LOOK_EVERY_MS = 250;

interface Look {
  classes: Map<string, number>;
  nextAt: number;
}

const looks = new WeakMap<pg.Pool, Look>();

/** How many of the sizes a table had passed when it was last looked at; null before the first look. */
export function findSizeClass(pool: pg.Pool, table: GrowingTable): number | null {
  let look = looks.get(pool);
  if (look === undefined) {
    look = { classes: new Map(), nextAt: 0 };
    looks.set(pool, look);
  }
  const known = look.classes.get(table) ?? null;
  if (known !== SIZES_BYTES.length && performance.now() >= look.nextAt) {
    look.nextAt = performance.now() + LOOK_EVERY_MS;
    void lookAgain(pool, look);
  }
  return known;
}

async function lookAgain(pool: pg.Pool, { classes }: Look): Promise<void> {
  try {
    const { rows } = await pool.query<{ name: GrowingTable; bytes: number }>(
      `SELECT name, pg_relation_size(name::regclass) AS bytes
       FROM unnest(ARRAY['messages', 'message_events']) AS name`,
    );
    for (const { name, bytes } of rows) {
      const passed = SIZES_BYTES.filter((size) => bytes >= size).length;
      // Deleting rows makes no plan wrong that was right for more.
      classes.set(name, Math.max(passed, classes.get(name) ?? 0));
    }
  } catch {
    // Without an answer all stays as it was; the next look asks again.
  }
}
