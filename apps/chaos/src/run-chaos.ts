import type { CleanUps, ProviderName } from '@switchboard/testing';
import { endRun } from './end-run.ts';
import { keepEvidence, openEvidence } from './evidence.ts';
import { forgeCallbacks } from './nemesis/forge-callbacks.ts';
import {
  NO_CARRIER_FAULTS,
  PROLOGUE_MS,
  type FaultTrack,
  drawCarrierClock,
  drawClockOffsetMs,
  planFaults,
} from './nemesis/plan-faults.ts';
import { type Restore, restoreBackup } from './nemesis/restore-backup.ts';
import { type FaultRecord, runFaults } from './nemesis/run-faults.ts';
import { checkWitnesses } from './oracle/check-witness.ts';
import { judgeRun } from './oracle/judge-run.ts';
import { openDatabase } from './oracle/read-database.ts';
import { createRandom } from '@switchboard/testing/random';
import { type ChaosReport, summarize } from './report.ts';
import {
  type MessagePlanOptions,
  type PlannedMessage,
  planMessages,
} from './senders/plan-messages.ts';
import { createHandsets, planInbound } from './senders/receive-messages.ts';
import { type SendRecord, sendMessages } from './senders/send-messages.ts';
import { type Backend, type HarnessOptions, startHarness } from './start-harness.ts';
import { BEYOND_THE_HOLD_MS, LATEST_ACCEPTANCE_MS } from './timings.ts';
import { type Webhooks, watchWebhooks } from './webhooks/watch-webhooks.ts';
import { type Witness, watchWorkspace } from './witness/watch-workspace.ts';

export interface ChaosOptions extends Pick<HarnessOptions, 'patroni' | 'pgBouncer' | 'redisGroup'> {
  seed: number;
  messages: number;
  backend: Backend;
  /** The provider accounts of each workspace. Default: only Twilio. */
  providers?: readonly ProviderName[];
  /** The only fault: the carrier accepts after the hold. The oracle must find duplicates. */
  negativeControl?: boolean;
  /** Replaces the faults of the seed. */
  faults?: readonly FaultTrack[];
  /** The time over which messages and faults are spread. By default it depends on their number. */
  durationMs?: number;
  /** Replaces properties of the seed's messages. */
  plan?: Pick<MessagePlanOptions, 'repeats' | 'recipients' | 'programs'>;
  /** Stops the run after this time and reports unfinished messages as violations. */
  minutesLimit?: number;
  /** A folder for the evidence that is always kept. Without it, a folder is kept only for violations. */
  keep?: string | null;
  cleanUps?: CleanUps;
  /** Called with a text at each phase of the run. */
  onProgress?(what: string): void;
}

/** A run with this many messages or more is long enough for all faults. */
const FULL_FROM = 1_000;
const MS_PER_MESSAGE = 40;
const MIN_DURATION_MS = 12_000;
/** The number of inbound messages, as a share of the outbound ones. */
const INBOUND_SHARE = 0.1;
/** The share of inbound messages without a webhook: the worker finds them in the carrier's list. */
const INBOUND_DROP = 0.1;
/** The number of messages before the backup, between backup and restore, and after the restore. */
const RESTORE_COUNTS = { held: 20, erased: 40, restored: 80 };
const RESTORE_STEP_MS = 3_000;
const SEND_RETRY_MS = 300_000;
const QUIET_LIMIT_MS = 150_000;
const QUIET_MS = 2_000;
const MINUTE_MS = 60_000;

export interface ChaosRun {
  report: ChaosReport;
  records: readonly SendRecord[];
  faults: readonly FaultRecord[];
}

/** Causes the faults of the seed, waits until the service is idle again, and runs the oracle. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const { seed, backend, messages, negativeControl = false, providers = ['twilio'] } = options;
  const progress = options.onProgress ?? (() => undefined);
  const startedAt = performance.now();
  const deadline = startedAt + (options.minutesLimit ?? 15) * MINUTE_MS;
  const within = (limitMs: number) => Math.max(0, Math.min(limitMs, deadline - performance.now()));

  // With `faults`, clocks are correct, and there is neither a prologue nor a restore.
  const isWhole = options.faults === undefined && !negativeControl;
  // The signatures of the other providers contain the time. After a restore, nothing proves that a
  // provider without a lookup has not sent a message.
  const isRestored = isWhole && providers.length === 1;
  const clocks = createRandom(seed, 'clocks');
  const evidence = await openEvidence(options.keep ?? null);
  options.cleanUps?.add(evidence.removeUnlessKept);
  const harness = await startHarness({
    backend,
    folder: evidence.folder,
    providers,
    ...(isRestored && { drawClockOffsetMs: () => drawClockOffsetMs(clocks) }),
    ...(options.cleanUps !== undefined && { cleanUps: options.cleanUps }),
    ...(options.patroni !== undefined && { patroni: options.patroni }),
    ...(options.pgBouncer !== undefined && { pgBouncer: options.pgBouncer }),
    ...(options.redisGroup !== undefined && { redisGroup: options.redisGroup }),
  });
  const witnesses: Witness[] = [];
  let webhooks: Webhooks | null = null;
  try {
    const durationMs = options.durationMs ?? Math.max(MIN_DURATION_MS, messages * MS_PER_MESSAGE);
    if (isRestored) await harness.carrier.behave(drawCarrierClock(clocks));
    if (isWhole) await harness.carrier.behave({ inbound_drop: INBOUND_DROP }, 'twilio');
    const sendingMs = durationMs + (isWhole ? PROLOGUE_MS : 0);
    const shape = { workspaces: harness.workspaces.length };
    const plan = planMessages(createRandom(seed, 'messages'), {
      ...shape,
      count: messages,
      durationMs: sendingMs,
      ...options.plan,
    });
    const tracks =
      options.faults ??
      (negativeControl
        ? [planLateAcceptance(seed)]
        : planFaults(createRandom(seed, 'faults'), {
            backend,
            providers,
            durationMs,
            size: messages >= FULL_FROM ? 'full' : 'small',
          }));
    for (const { apiKey } of harness.workspaces) {
      const random = createRandom(seed, `witness ${witnesses.length}`);
      witnesses.push(await watchWorkspace({ apiUrls: harness.apiUrls, apiKey, random }));
    }
    webhooks = await watchWebhooks(harness, { seed, retireAfterMs: sendingMs / 2 });
    progress(`started after ${seconds(startedAt)} s`);

    const faultsAt = performance.now();
    const forgeries = forgeCallbacks(harness, createRandom(seed, 'forgeries'));
    const sendAll = (planned: readonly PlannedMessage[]) =>
      sendMessages({
        seed,
        plan: planned,
        apiUrls: harness.apiUrls,
        apiKeys: harness.workspaces.map(({ apiKey }) => apiKey),
        http: harness.http,
        onAccepted: (workspace, messageId) => forgeries.target(workspace, messageId),
        retryForMs: within(SEND_RETRY_MS),
      });
    const sending = sendAll(plan);
    const handsets = createHandsets(harness);
    const inboundPlan = planInbound(createRandom(seed, 'inbound'), {
      ...shape,
      count: Math.round(messages * INBOUND_SHARE),
      durationMs: sendingMs,
    });
    const receiving = handsets.send(inboundPlan);
    const happened: FaultRecord[] = [];
    await runFaults(harness, tracks, happened, handsets);
    if (!negativeControl) await harness.carrier.behave(NO_CARRIER_FAULTS);
    progress(`all faults removed ${seconds(faultsAt)} s later`);
    const records = await sending;
    await receiving;
    const inbound = await handsets.close();
    await forgeries.stop();
    await webhooks.heal();
    let restore: Restore | null = null;
    if (isRestored) {
      const restored = await restoreBackup(harness, witnesses, (name) =>
        sendAll(
          planMessages(createRandom(seed, name), {
            ...shape,
            name,
            count: RESTORE_COUNTS[name],
            durationMs: RESTORE_STEP_MS,
            recipients: 'ordinary',
            // A request that is repeated after the restore would send its message again.
            programs: 'once',
          }),
        ),
      );
      ({ restore } = restored);
      records.push(...restored.records);
      progress(`restored ${seconds(faultsAt)} s after the first request`);
    }
    const faultSeconds = seconds(faultsAt);
    progress(`all requests done ${faultSeconds} s after the first`);

    const database = await openDatabase(await harness.databaseUrl());
    try {
      const latestMs = negativeControl ? BEYOND_THE_HOLD_MS : LATEST_ACCEPTANCE_MS;
      const { secondsToQuiet, ...outcome } = await endRun({
        environment: harness,
        database,
        witnesses,
        isBehind: ({ events }) =>
          checkWitnesses(witnesses, harness.workspaces, events, restore, happened).length > 0,
        quietMs: latestMs + QUIET_MS,
        limitMs: within(QUIET_LIMIT_MS),
      });
      progress(`waited ${secondsToQuiet} s until no work was left`);
      const violations = await judgeRun({
        harness,
        records,
        inbound,
        happened,
        restore,
        witnesses,
        forgeries,
        webhooks,
        inboundLedger: await harness.carrier.readInboundLedger(),
        ...outcome,
      });
      const report = summarize({
        options: { seed, backend, messages },
        records,
        ...outcome,
        witnesses,
        webhooks,
        forgeries: forgeries.sent,
        processes: [...harness.apis, ...harness.workers],
        happened,
        seconds: { faults: faultSeconds, toQuiet: secondsToQuiet, total: seconds(startedAt) },
        ...violations,
      });
      const isWrong = report.violations.length > 0;
      if (isWrong || options.keep != null) {
        const ids = report.violations.flatMap(({ messageIds }) => messageIds);
        report.evidence = evidence.folder;
        await keepEvidence(evidence.folder, {
          report,
          ledger: outcome.ledger,
          files: {
            'offending-rows': await database.dump([...new Set(ids)]),
            requests: records,
            inbound,
            faults: happened,
            restore,
            webhooks: webhooks.endpoints.map(({ receiver, ...endpoint }) => ({
              ...endpoint,
              deliveries: receiver.deliveries,
            })),
            witnesses: witnesses.map(({ seen, resyncs }) => ({ seen, resyncs })),
          },
        });
      }
      return { report, records, faults: happened };
    } finally {
      await database.close();
    }
  } finally {
    for (const witness of witnesses) witness.close();
    await webhooks?.close();
    await harness.close();
    await evidence.removeUnlessKept();
  }
}

/** Plans a carrier that breaks the assumption of the service: it accepts messages after their resend. */
function planLateAcceptance(seed: number): FaultTrack {
  const behaviour = {
    ...NO_CARRIER_FAULTS,
    seed,
    accept_then_hang: 0.25,
    accept_late_ms: BEYOND_THE_HOLD_MS,
  };
  return [{ atMs: 0, fault: { kind: 'carrier', provider: 'twilio', behaviour } }];
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 100) / 10;
}
