import type { FaultRecord } from '../nemesis/run-faults.ts';
import { percentileMs } from '../percentile-ms.ts';
import type { SendRecord } from '../senders/send-messages.ts';
import type { Violation } from './violation.ts';

const LONGEST_MS = 500;
/** The allowed slowdown, as a multiple of the latency before the fault. */
const SLOWER_THAN = { p99: 4, median: 20 };

/**
 * Checks that while an API is frozen, the others accept the messages of other workspaces as fast as
 * before.
 */
export function checkDelays(
  happened: readonly FaultRecord[],
  records: readonly SendRecord[],
  apis: readonly string[],
): Violation[] {
  return happened.flatMap(({ fault, fromMs, toMs }): Violation[] => {
    if (fault.kind !== 'freeze_receiving') return [];
    const durations = records
      .filter(({ planned }) => planned.workspace !== fault.workspace && planned.waitSeconds === 0)
      .flatMap(({ attempts }) => attempts)
      .filter(({ api }) => apis[api] !== fault.target)
      .map(({ atMs, durationMs }) => ({ atMs, durationMs }));
    const share = (at: number, isMeant: (atMs: number) => boolean) =>
      percentileMs(
        durations.filter(({ atMs }) => isMeant(atMs)).map(({ durationMs }) => durationMs),
        at,
      );
    const isBefore = (atMs: number) => atMs < fromMs;
    const before = share(0.99, isBefore);
    const during = share(0.99, (atMs) => atMs >= fromMs && atMs < toMs);
    const longest = Math.max(
      LONGEST_MS,
      SLOWER_THAN.p99 * before,
      SLOWER_THAN.median * share(0.5, isBefore),
    );
    if (during <= longest) return [];
    const detail = `accepting took ${during} ms at the 99th percentile while ${fault.target} was frozen, and ${before} ms before`;
    return [{ check: 'delay', detail, messageIds: [] }];
  });
}
