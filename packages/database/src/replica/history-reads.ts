import { setTimeout as pause } from 'node:timers/promises';
import { withinTime } from '@switchboard/core';
import { type Database, createPool, type DatabaseOptions } from '../database.ts';
import { createLagMeter, parseLogPosition } from './replica-lag.ts';

type Source = Pick<Database, 'pool'>;

export interface HistoryReadsOptions extends Omit<DatabaseOptions, 'url'> {
  primary: Source;
  /** Null: everything is read from the primary. */
  replicaUrl: string | null;
  /** A page may be so much older than the primary, and no more. */
  maxLagMs: number;
  /** Told from where history is read, at first and when that changes, and why. */
  onChange(from: 'replica' | 'primary', reason: string): void;
  lookEveryMs?: number;
}

/** Where what only shows history is read. Nothing that decides anything may be. */
export interface HistoryReads {
  /** A read made for both: on the replica while it is near enough, else on the primary. */
  fromEither<Args extends unknown[], Result>(
    create: (source: Source) => (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result>;
  /** Reads so far, by where they were made. */
  counts(): Readonly<Record<'replica' | 'primary', number>>;
  /** Null without a replica. */
  lagMs(): number | null;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const LOOK_TIMEOUT_MS = 2_000;

export function createHistoryReads(options: HistoryReadsOptions): HistoryReads {
  const { primary, replicaUrl, maxLagMs, onChange, lookEveryMs = LOOK_EVERY_MS } = options;
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
  /** Null before the first look. */
  let isUsed: boolean | null = null;

  function use(next: boolean, reason: string): void {
    if (next === isUsed) return;
    isUsed = next;
    onChange(next ? 'replica' : 'primary', reason);
  }

  async function measure(): Promise<number> {
    const askedAt = performance.now();
    const [written, replayed] = await Promise.all([
      // Busy or away: its last answer still tells, and grows old.
      withinTime(askPrimary(primary), LOOK_TIMEOUT_MS / 2, 'asking the primary').catch(() => null),
      withinTime(askReplica(replica), LOOK_TIMEOUT_MS, 'asking the replica'),
    ]);
    if (written !== null) meter.noteWritten(written, askedAt);
    measuredAt = performance.now();
    return meter.lagMs(replayed, measuredAt);
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        lagMs = await measure();
        const isNear = lagMs <= maxLagMs;
        use(isNear, isNear ? 'it is near enough' : `the replica is ${describe(lagMs)} behind`);
      } catch (error) {
        lagMs = Infinity;
        use(false, `the replica does not answer: ${(error as Error).message}`);
      }
      await pause(lookEveryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const watching = watch();

  return {
    fromEither(create) {
      const [fromReplica, fromPrimary] = [create(replica), create(primary)];
      return async (...args) => {
        // Since the last look it may have stood still.
        if (isUsed === true && lagMs + performance.now() - measuredAt <= maxLagMs) {
          try {
            const result = await fromReplica(...args);
            counts.replica += 1;
            return result;
          } catch (error) {
            // Whatever it was, a cancelled statement or a lost server: a read can be made again.
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

async function askPrimary({ pool }: Source): Promise<bigint> {
  const { rows } = await pool.query<{ written: string }>('SELECT pg_current_wal_lsn() AS written');
  return parseLogPosition(rows[0]?.written ?? '0/0');
}

async function askReplica({ pool }: Source): Promise<bigint> {
  const { rows } = await pool.query<{ replayed: string | null; replica: boolean }>(
    'SELECT pg_last_wal_replay_lsn() AS replayed, pg_is_in_recovery() AS replica',
  );
  const { replayed = null, replica = false } = rows[0] ?? {};
  if (!replica || replayed === null) throw new Error('it is no streaming replica');
  return parseLogPosition(replayed);
}

function describe(lagMs: number): string {
  return Number.isFinite(lagMs) ? `${(lagMs / 1_000).toFixed(1)} s` : 'too far';
}
