import { setTimeout as delay } from 'node:timers/promises';
import type { CleanUps } from '@switchboard/testing';
import { endRun } from '../end-run.ts';
import { type Evidence, keepEvidence, openEvidence } from '../evidence.ts';
import { checkWitnesses } from '../oracle/check-witness.ts';
import { openDatabase } from '../oracle/read-database.ts';
import { createRandom } from '@switchboard/testing/random';
import { type Witness, watchWorkspace } from '../witness/watch-workspace.ts';
import { judgeRoll } from './judge-roll.ts';
import { prepareRelease } from './prepare-release.ts';
import { THIS_RELEASE, openRelease } from './release.ts';
import { type RollReport, type Step, summarizeRoll } from './roll-report.ts';
import { type SteadyClient, type SteadyRecord, sendSteadily } from './send-steadily.ts';
import { type RollEnvironment, startRollEnvironment } from './start-roll-environment.ts';

export const PARTS = ['replace', 'scale'] as const;
export type Part = (typeof PARTS)[number];

export interface RollOptions {
  messagesPerSecond: number;
  /** How long an API continues to serve after SIGTERM. */
  drainMs: number;
  /** The parts of the run. By default all of them. */
  parts?: readonly Part[];
  /** A packed release or a git revision that runs first and is upgraded to the working copy. Replaces `parts`. */
  from?: string | null;
  /** A folder for the logs that is always kept. Without it, a folder is kept only for violations. */
  keep?: string | null;
  cleanUps?: CleanUps;
  /** Called with a text at each phase of the run. */
  onProgress?(what: string): void;
}

const APIS = 2;
const WORKERS = 3;
const MAX_WORKERS = 4;
const BETWEEN_MS = 1_000;
const QUIET_LIMIT_MS = 60_000;
const QUIET_MS = 2_000;

/** Replaces every process of the service while clients send, and checks that no client is affected. */
export async function runRoll(options: RollOptions): Promise<RollReport> {
  const progress = options.onProgress ?? (() => undefined);
  const startedAt = performance.now();
  const evidence = await openEvidence(options.keep ?? null);
  options.cleanUps?.add(evidence.removeUnlessKept);
  const ending = new AbortController();
  options.cleanUps?.add(async () => ending.abort());
  const witnesses: Witness[] = [];
  let client: SteadyClient | null = null;
  const { from = null } = options;
  if (from !== null) progress(`preparing ${from}`);
  const release =
    from === null
      ? THIS_RELEASE
      : openRelease(await prepareRelease(from, evidence.folder, ending.signal));
  const environment = await startRollEnvironment({
    apis: APIS,
    workers: WORKERS,
    drainMs: options.drainMs,
    release,
    folder: evidence.folder,
    ...(options.cleanUps !== undefined && { cleanUps: options.cleanUps }),
  });
  try {
    for (const { apiKey } of environment.workspaces) {
      const random = createRandom(1, `witness ${witnesses.length}`);
      const { url, authority: ca } = environment.proxy;
      witnesses.push(await watchWorkspace({ apiUrls: [url], apiKey, random, ca }));
    }
    progress(`started after ${seconds(startedAt)} s`);
    client = sendSteadily({
      url: environment.proxy.url,
      ca: environment.proxy.authority,
      apiKeys: environment.workspaces.map(({ apiKey }) => apiKey),
      messagesPerSecond: options.messagesPerSecond,
    });
    const steps = await takeSteps(
      from === null ? planSteps(environment, options.parts ?? PARTS) : planUpgrade(environment),
      progress,
    );
    const sent = await client.stop();
    client = null;
    progress(`all requests done after ${Math.round(sent.seconds)} s`);
    return await judge({
      environment,
      witnesses,
      sent,
      steps,
      options,
      evidence,
      startedAt,
      progress,
    });
  } finally {
    for (const witness of witnesses) witness.close();
    await client?.stop();
    await environment.close();
    await evidence.removeUnlessKept();
  }
}

interface PlannedStep {
  name: string;
  take(): Promise<void>;
}

/** Upgrades the schema, restarts one process of the old release on it, and then replaces every process. */
function planUpgrade(environment: RollEnvironment): PlannedStep[] {
  return [
    { name: 'migrate', take: () => THIS_RELEASE.migrate(environment.postgres.url) },
    ...replaceAll(environment).slice(-1),
    { name: 'new release', take: async () => environment.startFromNow(THIS_RELEASE) },
    ...replaceAll(environment),
  ];
}

function replaceAll({ apis, workers }: RollEnvironment): PlannedStep[] {
  return [...apis.running, ...workers.running].map((slot) => ({
    name: `replace ${slot.name}`,
    take: () => slot.replace(),
  }));
}

function planSteps(environment: RollEnvironment, parts: readonly Part[]): PlannedStep[] {
  const { apis, workers } = environment;
  const scale = [
    { name: 'workers to 1', take: () => workers.scaleTo(1) },
    { name: `workers to ${MAX_WORKERS}`, take: () => workers.scaleTo(MAX_WORKERS) },
    { name: 'workers to 1', take: () => workers.scaleTo(1) },
    { name: `APIs to ${APIS + 1}`, take: () => apis.scaleTo(APIS + 1) },
    { name: `APIs to ${APIS}`, take: () => apis.scaleTo(APIS) },
  ];
  const planned = { replace: replaceAll(environment), scale };
  return parts.flatMap((part) => planned[part]);
}

async function takeSteps(
  planned: readonly PlannedStep[],
  progress: (what: string) => void,
): Promise<Step[]> {
  const startedAt = performance.now();
  const steps: Step[] = [];
  for (const { name, take } of [{ name: 'begin', take: () => delay(BETWEEN_MS) }, ...planned]) {
    const fromMs = performance.now() - startedAt;
    await take();
    await delay(BETWEEN_MS);
    const toMs = performance.now() - startedAt;
    steps.push({ name, fromMs, toMs });
    progress(`${name}: ${((toMs - fromMs) / 1_000).toFixed(1)} s`);
  }
  return steps;
}

async function judge(run: {
  environment: RollEnvironment;
  witnesses: readonly Witness[];
  sent: SteadyRecord;
  steps: readonly Step[];
  options: RollOptions;
  evidence: Evidence;
  startedAt: number;
  progress(what: string): void;
}): Promise<RollReport> {
  const { environment, witnesses, sent, steps, evidence } = run;
  const database = await openDatabase(environment.postgres.url);
  try {
    const { secondsToQuiet, ...outcome } = await endRun({
      environment,
      database,
      witnesses,
      isBehind: ({ events }) =>
        checkWitnesses(witnesses, environment.workspaces, events).length > 0,
      quietMs: QUIET_MS,
      limitMs: QUIET_LIMIT_MS,
    });
    const { state, ledger } = outcome;
    run.progress(`waited ${secondsToQuiet} s until no work was left`);
    const violations = await judgeRoll({ environment, sent, witnesses, ...outcome });
    const report = summarizeRoll({
      messagesPerSecond: run.options.messagesPerSecond,
      sent,
      steps,
      rows: state.messages.length,
      ledgerLines: ledger.length,
      events: state.events.length,
      witnesses,
      proxyLines: environment.proxy.anomalies(),
      seconds: { toQuiet: secondsToQuiet, total: seconds(run.startedAt) },
      violations,
    });
    if (violations.length > 0 || run.options.keep != null) {
      report.evidence = evidence.folder;
      const rows = await database.dump([
        ...new Set(violations.flatMap(({ messageIds }) => messageIds)),
      ]);
      await keepEvidence(evidence.folder, {
        report,
        ledger,
        files: {
          'offending-rows': rows,
          requests: sent.failures,
          steps,
          witnesses: witnesses.map(({ seen }) => seen),
        },
      });
    }
    return report;
  } finally {
    await database.close();
  }
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 100) / 10;
}
