import { formatCounts, formatLines } from './format-lines.ts';
import { type FaultRecord, countFaults } from './nemesis/run-faults.ts';
import type { RunFindings } from './oracle/judge-run.ts';
import type { StoredState } from './oracle/read-database.ts';
import type { Violation } from './oracle/violation.ts';
import { percentileMs } from './percentile-ms.ts';
import type { SendRecord } from './senders/send-messages.ts';
import type { LedgerLine, ProcessSlot } from '@switchboard/testing';
import type { Webhooks } from './webhooks/watch-webhooks.ts';
import type { Witness } from './witness/watch-workspace.ts';

/** The result of a run. */
export interface ChaosReport {
  seed: number;
  backend: string;
  messages: number;
  requests: { accepted: number; repeated: number; failed: number; unanswered: number };
  rows: number;
  ledgerLines: number;
  rejected: number;
  outcomeUnknown: RunFindings['outcomeUnknown'];
  inbound: { rows: number; optOuts: number; givenUp: number };
  /** Rows by the provider of their latest attempt, and those that several providers tried. */
  providers: Record<string, number>;
  resent: number;
  adopted: number;
  /** Messages that the service reported in its logs as sent twice. */
  duplicatesSeen: number;
  events: number;
  witnessConnections: number;
  resyncs: number;
  webhooks: { deliveries: number; acknowledged: number };
  forgeries: number;
  faults: Record<string, number>;
  latencyMs: { median: number; p99: number };
  seconds: { faults: number; toQuiet: number; total: number };
  violations: Violation[];
  /** Null if no evidence was kept. */
  evidence: string | null;
}

/** The log line with which the service reports that a message was sent twice. */
const DUPLICATE_LINES = ['accepted this message twice'];

export function summarize(
  run: RunFindings &
    Pick<ChaosReport, 'forgeries' | 'seconds'> & {
      options: Pick<ChaosReport, 'seed' | 'backend' | 'messages'>;
      records: readonly SendRecord[];
      state: StoredState;
      ledger: readonly LedgerLine[];
      witnesses: readonly Witness[];
      webhooks: Pick<Webhooks, 'endpoints'>;
      processes: readonly ProcessSlot[];
      happened: readonly FaultRecord[];
    },
): ChaosReport {
  const attempts = run.records.flatMap((record) => record.attempts);
  const rows = run.state.messages;
  const answered = attempts.filter(({ status }) => status === 201);
  const accepted = run.records.filter((record) =>
    record.attempts.some(({ status }) => status === 201),
  ).length;
  const durations = answered.map(({ durationMs }) => durationMs);
  return {
    ...run.options,
    requests: {
      accepted,
      repeated: answered.length - accepted,
      failed: attempts.filter(({ status }) => status !== null && status >= 500).length,
      unanswered: attempts.filter(({ status }) => status === null).length,
    },
    rows: rows.length,
    ledgerLines: run.ledger.length,
    rejected: rows.filter(({ dispatch }) => dispatch === 'rejected').length,
    outcomeUnknown: run.outcomeUnknown,
    inbound: {
      rows: run.state.inbound.length,
      optOuts: run.state.inbound.filter(({ optedOut }) => optedOut).length,
      givenUp: run.givenUp,
    },
    providers: countProviders(run.state.attempts),
    resent: rows.filter(({ resends }) => resends > 0).length,
    adopted: rows.filter(({ foundByLookup }) => foundByLookup).length,
    duplicatesSeen: findReportedDuplicates(run.processes).size,
    events: run.state.events.length,
    witnessConnections: run.witnesses.reduce((sum, { connections }) => sum + connections, 0),
    resyncs: run.witnesses.reduce((sum, { resyncs }) => sum + resyncs.length, 0),
    webhooks: countDeliveries(run.webhooks),
    forgeries: run.forgeries,
    faults: countFaults(run.happened),
    latencyMs: { median: percentileMs(durations, 0.5), p99: percentileMs(durations, 0.99) },
    seconds: run.seconds,
    violations: run.violations,
    evidence: null,
  };
}

function countProviders(attempts: StoredState['attempts']): Record<string, number> {
  const ofMessage = new Map<string, string[]>();
  for (const { messageId, provider } of attempts) {
    ofMessage.set(messageId, [...(ofMessage.get(messageId) ?? []), provider]);
  }
  const counts: Record<string, number> = {};
  for (const providers of ofMessage.values()) {
    const last = providers.at(-1) ?? '';
    counts[last] = (counts[last] ?? 0) + 1;
    if (new Set(providers).size > 1) counts['changed'] = (counts['changed'] ?? 0) + 1;
  }
  return counts;
}

function countDeliveries({ endpoints }: Pick<Webhooks, 'endpoints'>): ChaosReport['webhooks'] {
  const deliveries = endpoints.flatMap(({ receiver }) => receiver.deliveries);
  const acknowledged = deliveries.filter((one) => one.acknowledged).length;
  return { deliveries: deliveries.length, acknowledged };
}

/** Identifiers of messages that the service reported as sent in addition to another. */
function findReportedDuplicates(processes: readonly ProcessSlot[]): Set<string> {
  const lines = processes.flatMap((slot) =>
    DUPLICATE_LINES.flatMap((text) => slot.linesWith(text)),
  );
  return new Set(
    lines.map((line) => {
      const entry = JSON.parse(line) as { provider_sid?: string; duplicate_sid?: string };
      return entry.duplicate_sid ?? entry.provider_sid ?? '';
    }),
  );
}

export function formatReport(report: ChaosReport): string {
  const { requests, seconds, latencyMs } = report;
  const lines: (readonly [string, string])[] = [
    ['run', `seed ${report.seed}, ${report.messages} messages, ${report.backend}`],
    [
      'requests',
      `${requests.accepted} messages accepted, ${requests.repeated} repeats answered, ${requests.failed} answered 5xx, ${requests.unanswered} not answered`,
    ],
    ['latency', `${latencyMs.median} ms median, ${latencyMs.p99} ms at the 99th percentile`],
    [
      'rows',
      `${report.rows}: ${report.rejected} rejected, failed as outcome_unknown ${formatCounts(report.outcomeUnknown)}, ${report.resent} resent, ${report.adopted} found by lookup`,
    ],
    [
      'inbound',
      `${report.inbound.rows} rows, ${report.inbound.optOuts} of them opt-outs; ${report.inbound.givenUp} webhooks that the carrier stopped retrying`,
    ],
    ['providers', formatCounts(report.providers)],
    ['ledger', `${report.ledgerLines} lines`],
    [
      'events',
      `${report.events} received over ${report.witnessConnections} connections, ${report.resyncs} resyncs`,
    ],
    [
      'webhooks',
      `${report.webhooks.deliveries} attempts, ${report.webhooks.acknowledged} acknowledged`,
    ],
    ['forgeries', `${report.forgeries} refused or unanswered`],
    ['faults', formatCounts(report.faults)],
    [
      'time',
      `${seconds.faults} s of faults, no work left ${seconds.toQuiet} s later, ${seconds.total} s in total`,
    ],
    ...(report.duplicatesSeen > 0
      ? [['duplicates', `${report.duplicatesSeen} reported by the service itself`] as const]
      : []),
  ];
  return formatLines(lines, report);
}
