import { setTimeout as delay } from 'node:timers/promises';
import { withinTime } from '@switchboard/core';
import { type Database, createPool, type DatabaseOptions } from '../database.ts';
import { createLagMeter, parseLogPosition } from './replica-lag.ts';

type Source = Pick<Database, 'pool'>;

export interface HistoryReadsOptions extends Omit<DatabaseOptions, 'url'> {
  primary: Source;
  /** Null if everything is read from the primary. */
  replicaUrl: string | null;
  /** How far a page may lag behind the primary's data. */
  maxLagMs: number;
  /** Called with the source of the history and the reason, first and after each change. */
  onChange(from: 'replica' | 'primary', reason: string): void;
  checkEveryMs?: number;
}

/** Selects the source of reads that only show history. Reads for decisions must not use it. */
export interface HistoryReads {
  /** Returns a read that uses the replica if it is current enough, and otherwise the primary. */
  fromEither<Args extends unknown[], Result>(
    create: (source: Source) => (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result>;
  /** Returns the number of reads by source. */
  counts(): Readonly<Record<'replica' | 'primary', number>>;
  /** Returns the lag in milliseconds; null without a replica. */
  lagMs(): number | null;
  close(): Promise<void>;
}

const MEASURE_EVERY_MS = 1_000;
const MEASURE_TIMEOUT_MS = 2_000;

export function createHistoryReads(options: HistoryReadsOptions): HistoryReads {
  const { primary, replicaUrl, maxLagMs, onChange, checkEveryMs = MEASURE_EVERY_MS } = options;
  const counts = { replica: 0, primary: 0 };
  if (replicaUrl === null) {
    return {
      fromEither: (create) => {
        const read = create(primary);
        return (...args) => {
          counts.primary += 1;
          return read(...args);
        };
      },
      counts: () => counts,
      lagMs: () => null,
      close: async () => undefined,
    };
  }

  const replica = { pool: createPool({ ...options, url: replicaUrl }) };
  const meter = createLagMeter(2 * maxLagMs + 60_000);
  const closing = new AbortController();
  let lagMs = Infinity;
  let measuredAt = 0;
  /** Null before the first measurement. */
  let isUsed: boolean | null = null;

  function use(next: boolean, reason: string): void {
    if (next === isUsed) return;
    isUsed = next;
    onChange(next ? 'replica' : 'primary', reason);
  }

  async function measure(): Promise<number> {
    const startedAt = performance.now();
    const [written, replayed] = await Promise.all([
      // While the primary does not respond, its last position is still useful, but becomes older.
      withinTime(queryPrimary(primary), MEASURE_TIMEOUT_MS / 2, 'querying the primary').catch(
        () => null,
      ),
      withinTime(queryReplica(replica), MEASURE_TIMEOUT_MS, 'querying the replica'),
    ]);
    if (written !== null) meter.recordWritten(written, startedAt);
    measuredAt = performance.now();
    return meter.lagMs(replayed, measuredAt);
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        lagMs = await measure();
        const isNear = lagMs <= maxLagMs;
        use(
          isNear,
          isNear ? 'the replica is current enough' : `the replica is ${describe(lagMs)} behind`,
        );
      } catch (error) {
        lagMs = Infinity;
        use(false, `the replica does not respond: ${(error as Error).message}`);
      }
      await delay(checkEveryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const watching = watch();

  return {
    fromEither(create) {
      const [fromReplica, fromPrimary] = [create(replica), create(primary)];
      return async (...args) => {
        // The replica may have stopped since the last measurement.
        if (isUsed === true && lagMs + performance.now() - measuredAt <= maxLagMs) {
          try {
            const result = await fromReplica(...args);
            counts.replica += 1;
            return result;
          } catch (error) {
            // The error may be a canceled statement or a lost server. A read can be repeated in any
            // case.
            options.onError(error as Error);
          }
        }
        counts.primary += 1;
        return fromPrimary(...args);
      };
    },
    counts: () => counts,
    lagMs: () => lagMs,
    async close() {
      closing.abort();
      await watching;
      await replica.pool.end();
    },
  };
}

async function queryPrimary({ pool }: Source): Promise<bigint> {
  const { rows } = await pool.query<{ written: string }>('SELECT pg_current_wal_lsn() AS written');
  return parseLogPosition(rows[0]?.written ?? '0/0');
}

async function queryReplica({ pool }: Source): Promise<bigint> {
  const { rows } = await pool.query<{ replayed: string | null; replica: boolean }>(
    'SELECT pg_last_wal_replay_lsn() AS replayed, pg_is_in_recovery() AS replica',
  );
  const { replayed = null, replica = false } = rows[0] ?? {};
  if (!replica || replayed === null) throw new Error('the server is not a streaming replica');
  return parseLogPosition(replayed);
}

function describe(lagMs: number): string {
  return Number.isFinite(lagMs) ? `${(lagMs / 1_000).toFixed(1)} s` : 'too far';
}
