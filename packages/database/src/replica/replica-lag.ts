/** A position in the write-ahead log. */
export type LogPosition = bigint;

/** Parses a log position (`pg_lsn`), for example `16/B374D848`. */
export function parseLogPosition(text: string): LogPosition {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export interface LagMeter {
  /** Records the position of the primary at a time. All times are of one monotonic clock. */
  recordWritten(position: LogPosition, atMs: number): void;
  /** Returns the maximum age of the replica's data; Infinity if it is unknown. */
  lagMs(replayed: LogPosition, nowMs: number): number;
}

/**
 * Creates a meter that measures the replica's lag with the positions of the primary at known times.
 * The replica's own value (`pg_last_xact_replay_timestamp`) grows when there are no writes, and
 * does not grow while the replica is disconnected.
 *
 * @param memoryMs positions that are older are removed; a longer lag counts as infinite
 */
export function createLagMeter(memoryMs: number): LagMeter {
  let written: { position: LogPosition; atMs: number }[] = [];

  return {
    recordWritten(position, atMs) {
      // A promoted standby may not have everything that the old primary had written.
      written = written.filter((one) => one.position <= position && one.atMs > atMs - memoryMs);
      written.push({ position, atMs });
    },
    lagMs(replayed, nowMs) {
      const newest = written.findLast(({ position }) => position <= replayed);
      return newest === undefined ? Infinity : nowMs - newest.atMs;
    },
  };
}
