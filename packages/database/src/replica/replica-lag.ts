/** A place in the write-ahead log. */
export type LogPosition = bigint;

/** Reads PostgreSQL's `16/B374D848`. */
export function parseLogPosition(text: string): LogPosition {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export interface LagMeter {
  /** The primary's log had come so far at that time; times are of one monotonic clock. */
  noteWritten(position: LogPosition, atMs: number): void;
  /** How old what the replica shows is, at most; Infinity while that can't be told. */
  lagMs(replayed: LogPosition, nowMs: number): number;
}

/**
 * How far a replica is behind, by what the primary's log said when. The replica's own idea of it
 * (`pg_last_xact_replay_timestamp`) grows while nobody writes, and not while it is cut off.
 *
 * @param memoryMs a lag beyond it is as good as any
 */
export function createLagMeter(memoryMs: number): LagMeter {
  let written: { position: LogPosition; atMs: number }[] = [];

  return {
    noteWritten(position, atMs) {
      // A standby that was promoted may not have all that the primary before it had written.
      written = written.filter((one) => one.position <= position && one.atMs > atMs - memoryMs);
      written.push({ position, atMs });
    },
    lagMs(replayed, nowMs) {
      const newest = written.findLast(({ position }) => position <= replayed);
      return newest === undefined ? Infinity : nowMs - newest.atMs;
    },
  };
}
