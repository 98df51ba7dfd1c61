import type pg from 'pg';

/** The tables that grow without limit. */
export type GrowingTable = 'message_records' | 'message_progress' | 'message_events';

/**
 * PostgreSQL keeps a plan until it analyzes the table next. A plan from a small table reads all of it,
 * and within a minute the table may grow a thousandfold. So statements are planned again when the
 * table exceeds one of these sizes, and no plan scans a table that is more than four times as large
 * as planned. Beyond the last size, no plan for a batch of ids reads the whole table, whatever the
 * server's cost of random reads: 256 pages cost 300 and more, the index 100 or less.
 */
const SIZES_BYTES = [128 * 1024, 512 * 1024, 2 * 1024 * 1024];
const MEASURE_EVERY_MS = 250;

interface Measured {
  classes: Map<string, number>;
  nextAt: number;
}

const measuredOf = new WeakMap<pg.Pool, Measured>();

/**
 * Returns how many of the sizes the tables had exceeded when they were last measured, and null before that.
 */
export function findSizeClass(pool: pg.Pool, tables: readonly GrowingTable[]): string | null {
  let measured = measuredOf.get(pool);
  if (measured === undefined) {
    measured = { classes: new Map(), nextAt: 0 };
    measuredOf.set(pool, measured);
  }
  const { classes } = measured;
  const known = tables.map((table) => classes.get(table) ?? null);
  if (known.some((one) => one !== SIZES_BYTES.length) && performance.now() >= measured.nextAt) {
    measured.nextAt = performance.now() + MEASURE_EVERY_MS;
    void measure(pool, measured);
  }
  return known.includes(null) ? null : known.join('_');
}

async function measure(pool: pg.Pool, { classes }: Measured): Promise<void> {
  try {
    const { rows } = await pool.query<{ name: GrowingTable; bytes: number }>(
      `SELECT name, pg_relation_size(name::regclass) AS bytes
       FROM unnest(ARRAY['message_records', 'message_progress', 'message_events']) AS name`,
    );
    for (const { name, bytes } of rows) {
      const passed = SIZES_BYTES.filter((size) => bytes >= size).length;
      // A plan for more rows stays right when rows are deleted.
      classes.set(name, Math.max(passed, classes.get(name) ?? 0));
    }
  } catch {
    // After a failure the classes stay as they are. The next measurement tries again.
  }
}
