import type { FaultRecord } from '../nemesis/run-faults.ts';
import { percentileMs } from '../percentile-ms.ts';
import type { SendRecord } from '../senders/send-messages.ts';

/** The effects of one failover on the programs that send. */
export interface Outage {
  /** The longest time between two accepted sends. */
  withoutAcceptedMs: number;
  /** From the first request that was refused or unanswered to the next accepted send. */
  refusedForMs: number;
  /** Responses that say that nothing was stored: 503. */
  refused: number;
  /** Responses that say that the message may be stored: 500. */
  inDoubt: number;
  /** Requests that had no response in time. */
  unanswered: number;
}

/** The effects of a failover may continue after all nodes are back. */
const AFTER_MS = 15_000;

export function measureOutage(
  { fromMs, toMs }: Pick<FaultRecord, 'fromMs' | 'toMs'>,
  records: readonly Pick<SendRecord, 'attempts'>[],
): Outage {
  const attempts = records
    .flatMap((record) => record.attempts)
    .filter(({ atMs }) => atMs >= fromMs - AFTER_MS && atMs <= toMs + AFTER_MS);
  const accepted = attempts
    .filter(({ status }) => status === 201)
    .map(({ atMs, durationMs }) => atMs + durationMs)
    .toSorted((a, b) => a - b);
  const failed = attempts
    .filter(({ status, atMs }) => status !== 201 && atMs >= fromMs)
    .toSorted((a, b) => a.atMs - b.atMs);
  const gaps = accepted.slice(1).map((at, index) => at - (accepted[index] ?? at));
  const [first] = failed;
  const next = first && accepted.find((at) => at > first.atMs + first.durationMs);
  return {
    withoutAcceptedMs: Math.round(Math.max(0, ...gaps)),
    refusedForMs: first === undefined ? 0 : Math.round((next ?? toMs) - first.atMs),
    refused: failed.filter(({ status }) => status === 503).length,
    inDoubt: failed.filter(({ status }) => status !== null && status !== 503).length,
    unanswered: failed.filter(({ status }) => status === null).length,
  };
}

/** Formats one line: the median, the longest and all outages in seconds. */
export function formatOutages(name: string, outages: readonly Outage[]): string {
  const inSeconds = (ms: number) => (ms / 1_000).toFixed(1);
  const gaps = outages.map(({ withoutAcceptedMs }) => withoutAcceptedMs);
  const total = (pick: (outage: Outage) => number) =>
    outages.reduce((sum, outage) => sum + pick(outage), 0);
  return [
    `${name}: no send accepted for a median of ${inSeconds(percentileMs(gaps, 0.5))} s,`,
    `at most ${inSeconds(Math.max(...gaps))} s (${gaps.map(inSeconds).join(', ')});`,
    `from the first refusal to the next acceptance ${outages.map((one) => inSeconds(one.refusedForMs)).join(', ')} s;`,
    `${total((one) => one.refused)} refused, ${total((one) => one.inDoubt)} in doubt,`,
    `${total((one) => one.unanswered)} unanswered`,
  ].join(' ');
}
