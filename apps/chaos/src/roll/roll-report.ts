import { formatLines } from '../format-lines.ts';
import type { Violation } from '../oracle/violation.ts';
import { percentileMs } from '../percentile-ms.ts';
import type { Witness } from '../witness/watch-workspace.ts';
import type { SteadyRecord } from './send-steadily.ts';

/** One process replaced, added or removed. Times are measured from the first request. */
export interface Step {
  name: string;
  fromMs: number;
  toMs: number;
}

/** The result of a rolling update. */
export interface RollReport {
  messagesPerSecond: number;
  messages: number;
  reads: number;
  failed: number;
  /** The achieved rate. It is below `messagesPerSecond` if the client fell behind. */
  sentPerSecond: number;
  maxInFlight: number;
  rows: number;
  ledgerLines: number;
  events: number;
  witnessConnections: number;
  /** Failed and retried requests in the proxy's log. */
  proxyLines: number;
  latencyMs: { median: number; p99: number; longest: number };
  steps: (Step & { p99Ms: number; longestMs: number })[];
  seconds: { sending: number; toQuiet: number; total: number };
  violations: Violation[];
  /** Null if no evidence was kept. */
  evidence: string | null;
}

export function summarizeRoll(
  run: Pick<RollReport, 'messagesPerSecond' | 'rows' | 'ledgerLines' | 'events' | 'violations'> & {
    sent: SteadyRecord;
    steps: readonly Step[];
    witnesses: readonly Witness[];
    proxyLines: readonly string[];
    seconds: { toQuiet: number; total: number };
  },
): RollReport {
  const { sent, steps, witnesses, proxyLines, seconds, ...counts } = run;
  const all = describe(sent.latencies);
  return {
    ...counts,
    messages: sent.accepted.size,
    reads: sent.reads,
    failed: sent.failures.length,
    sentPerSecond: Math.round(sent.accepted.size / sent.seconds),
    maxInFlight: sent.maxInFlight,
    witnessConnections: witnesses.reduce((sum, { connections }) => sum + connections, 0),
    proxyLines: proxyLines.length,
    latencyMs: all,
    steps: steps.map((step) => {
      const within = sent.latencies.filter(({ atMs }) => atMs >= step.fromMs && atMs < step.toMs);
      const { p99, longest } = describe(within);
      return { ...step, p99Ms: p99, longestMs: longest };
    }),
    seconds: { sending: Math.round(sent.seconds), ...seconds },
    evidence: null,
  };
}

function describe(latencies: SteadyRecord['latencies']): RollReport['latencyMs'] {
  const durations = latencies.map(({ durationMs }) => durationMs);
  return {
    median: percentileMs(durations, 0.5),
    p99: percentileMs(durations, 0.99),
    longest: percentileMs(durations, 1),
  };
}

export function formatRollReport(report: RollReport): string {
  const { latencyMs, seconds } = report;
  const lines: [string, string][] = [
    [
      'sent',
      `${report.messages} messages accepted in ${seconds.sending} s (${report.sentPerSecond}/s of ${report.messagesPerSecond}/s), ${report.reads} reads, at most ${report.maxInFlight} in flight`,
    ],
    ['failed', `${report.failed} requests; the proxy logged ${report.proxyLines}`],
    [
      'latency',
      `${latencyMs.median} ms median, ${latencyMs.p99} ms at the 99th percentile, ${latencyMs.longest} ms longest`,
    ],
    ...report.steps.map(({ name, fromMs, toMs, p99Ms, longestMs }): [string, string] => [
      '  step',
      `${name.padEnd(20)} ${((toMs - fromMs) / 1_000).toFixed(1).padStart(5)} s, 99th percentile ${p99Ms} ms, longest ${longestMs} ms`,
    ]),
    ['rows', String(report.rows)],
    ['ledger', `${report.ledgerLines} lines`],
    ['events', `${report.events} received over ${report.witnessConnections} connections`],
    ['time', `no work left ${seconds.toQuiet} s later, ${seconds.total} s in total`],
  ];
  return formatLines(lines, report);
}
