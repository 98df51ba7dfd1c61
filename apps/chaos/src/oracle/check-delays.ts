import type { FaultRecord } from '../nemesis/run-faults.ts';
import { percentile } from '../report.ts';
import type { SendRecord } from '../senders/send-messages.ts';
import type { Violation } from './violation.ts';

const LONGEST_MS = 500;
/** A machine that is slow without the fault is allowed to be slow with it. */
const TIMES_AS_BEFORE = 4;

/** While an API stands still, the others accept the messages of other workspaces as before. */
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
    const p99 = (isMeant: (atMs: number) => boolean) =>
      percentile(
        durations.filter(({ atMs }) => isMeant(atMs)).map(({ durationMs }) => durationMs),
        0.99,
      );
    const before = p99((atMs) => atMs < fromMs);
    const during = p99((atMs) => atMs >= fromMs && atMs < toMs);
    if (during <= Math.max(LONGEST_MS, TIMES_AS_BEFORE * before)) return [];
    const detail = `accepting took ${during} ms at the 99th percentile while ${fault.target} stood still, ${before} ms before`;
    return [{ check: 'delay', detail, messageIds: [] }];
  });
}
