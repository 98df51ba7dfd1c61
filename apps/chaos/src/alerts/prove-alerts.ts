import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CleanUps, OptionsError } from '@switchboard/testing';
import { findEmptyPanels, findFlatPanels, readPanels } from './check-panels.ts';
import type { Fault } from './fault.ts';
import { createLiveFaults } from './live-faults.ts';
import { createUntrackedFaults } from './untracked-faults.ts';
import { createWebhookFaults } from './webhook-faults.ts';
import { openSockets } from './open-sockets.ts';
import { createProcessFaults } from './process-faults.ts';
import { createProviderFaults } from './provider-faults.ts';
import { startLoad } from './send-load.ts';
import { type Prometheus, startPrometheus } from './start-prometheus.ts';
import { type Service, startService } from './start-service.ts';
import { createStoreFaults } from './store-faults.ts';
import { type Finding, tryFault } from './try-fault.ts';
import { type AlertWatch, watchAlerts } from './watch-alerts.ts';

const OPS = resolve(import.meta.dirname, '../../../../ops');
const WARM_UP_MS = 20_000;
const HEALTHY_MS = 60_000;
const START_LIMIT_MS = 20_000;
const MESSAGES_PER_SECOND = { busy: 8, oneTimeCodes: 2, failover: 6 };

export interface AlertProof {
  findings: Finding[];
  /** Alerts that fired without a fault, with their labels. */
  falseAlarms: string[];
  /** Rules without a fault that causes them. */
  untested: string[];
  emptyPanels: string[];
  flatPanels: string[];
  seconds: number;
}

/**
 * Causes the fault of every alert rule in a running service, and checks that the alert fires and resolves.
 *
 * @throws OptionsError if an alert of `only` has no fault
 */
export async function proveAlerts(options: {
  /** Runs only the faults of these alerts. Null runs all. */
  only: readonly string[] | null;
  cleanUps: CleanUps;
  onProgress(what: string): void;
}): Promise<AlertProof> {
  const progress = options.onProgress;
  const startedAt = performance.now();
  const service = await startService(options.cleanUps);
  const { closers, http } = service;
  try {
    const faults = selectFaults(scheduleFaults(service), options.only);
    const folder = await closers.open(
      () => mkdtemp(join(tmpdir(), 'switchboard-alerts-')),
      (made) => rm(made, { recursive: true, force: true }),
    );
    await closers.open(
      () => startLightLoad(service),
      (stop) => stop(),
    );
    // Warm up before Prometheus starts: the first requests are slow, because code is loaded and compiled,
    // and the shortened windows of days would include them for the whole run.
    await delay(WARM_UP_MS);
    const prometheus = await closers.open(() =>
      startPrometheus({
        source: join(OPS, 'prometheus'),
        folder,
        targets: {
          'switchboard-api': [service.api, service.otherApi].map(({ url }) => new URL(url).host),
          'switchboard-worker': service.workers.map(({ url }) => new URL(url).host),
        },
        http,
      }),
    );
    const watch = await closers.open(
      async () => watchAlerts(prometheus),
      (watching) => watching.stop(),
    );
    await waitUntilHealthy(prometheus);
    progress('all processes are running');

    const panels = await readPanels(join(OPS, 'grafana/switchboard.json'));
    const healthyFrom = new Date();
    await delay(HEALTHY_MS);
    const healthy = { from: healthyFrom, to: new Date() };
    const alarms = await prometheus.readRange('ALERTS{alertstate="firing"}', healthy);
    const falseAlarms = alarms.map(
      ({ labels: { alertname = '', alertstate: _state, ...labels } }) =>
        `${alertname} ${JSON.stringify(labels)}`,
    );
    const emptyPanels = await findEmptyPanels(prometheus, panels, healthy);
    progress(`${HEALTHY_MS / 1_000} s without a fault`);

    const findings = await tryAll(faults, watch, progress);
    const tested = new Set(findings.map(({ alert }) => alert));
    const untested = (await prometheus.listRules()).filter((alert) => !tested.has(alert));
    const wholeRun = { from: healthyFrom, to: new Date() };
    return {
      findings,
      falseAlarms,
      emptyPanels,
      // A run with only some faults cannot cover all alerts and panels.
      untested: options.only === null ? untested : [],
      flatPanels: options.only === null ? await findFlatPanels(prometheus, panels, wholeRun) : [],
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    };
  } finally {
    await service.close();
  }
}

/** Sends messages at a low rate and keeps two live views open. */
async function startLightLoad({ http, api, otherApi, workspaces }: Service) {
  const apiUrls = [api.url, otherApi.url];
  const loads = (['busy', 'oneTimeCodes', 'failover'] as const).map((name) =>
    startLoad(http, apiUrls, workspaces[name], MESSAGES_PER_SECOND[name]),
  );
  const { apiKey } = workspaces.busy;
  const stops = [await openSockets({ url: api.url, apiKey, count: 2 }), ...loads];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Waits until Prometheus has scraped all processes: before that, rules for missing processes fire. */
async function waitUntilHealthy(prometheus: Prometheus): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const isScraped = await prometheus.reachesAllTargets();
    const firing = await prometheus.listFiring();
    if (isScraped && firing.size === 0) return;
    if (performance.now() > deadline) {
      throw new Error(
        isScraped
          ? `These alerts fire without a fault: ${[...firing].join(', ')}`
          : 'Prometheus cannot reach all processes',
      );
    }
    await delay(500);
  }
}

/** Returns rows that run one after another. The tracks of a row run at the same time. */
function scheduleFaults(service: Service): Fault[][][] {
  const processes = createProcessFaults(service);
  const stores = createStoreFaults(service);
  const provider = createProviderFaults(service);
  const untracked = createUntrackedFaults(service);
  const live = createLiveFaults(service);
  const webhooks = createWebhookFaults(service);
  return [
    [[processes.oneWorkerDown]],
    // Alone, because other provider faults make an account fail, and then this alert does not fire.
    [[provider.oneThrottles]],
    [[processes.workersDown], [processes.apisDown]],
    [[stores.databaseStopped]],
    [
      [provider.credentialsRefused, live.manySockets],
      // `unreachable` opens circuit breakers, so no call would be throttled until the next probe. It also
      // delays the lookups of `acceptsLate`. `credentialsRefused` needs the provider, so `unreachable` is
      // not first.
      [provider.callbacksDropped, provider.throttles, provider.unreachable, provider.acceptsLate],
    ],
    [
      [stores.queueHangs],
      [stores.replicaPaused],
      [provider.callbacksForged],
      [processes.workerBlocked],
    ],
    [[webhooks.endpointGone], [live.idleConnections]],
    [[untracked.sentElsewhere], [untracked.calledBackElsewhere], [untracked.unreadableInbound]],
    // Not at the same time, because a slow provider causes too few events for a live view to lag.
    [[live.readsSlowly]],
    [[provider.slow]],
    [[stores.queuesDiffer], [processes.workerCrashes]],
    // Last, because SwitchboardErrorBudgetBurnsFast ends only when no other fault uses an error budget.
    [[stores.tableLocked]],
  ];
}

function selectFaults(rows: Fault[][][], only: readonly string[] | null): Fault[][][] {
  if (only === null) return rows;
  const alerts = new Set(rows.flat(2).flatMap((fault) => fault.alerts));
  for (const alert of only) {
    if (!alerts.has(alert)) throw new OptionsError(`--only: no fault causes the alert ${alert}`);
  }
  const isWanted = (fault: Fault) => fault.alerts.some((alert) => only.includes(alert));
  return rows.map((row) => row.map((track) => track.filter(isWanted)));
}

/** Starts the next fault when the previous one is removed, although its alerts may still be firing. */
async function tryAll(
  rows: readonly Fault[][][],
  watch: AlertWatch,
  progress: (what: string) => void,
): Promise<Finding[]> {
  const trials: Promise<Finding[]>[] = [];
  for (const row of rows) {
    await Promise.all(
      row.map(async (track) => {
        for (const fault of track) {
          progress(fault.what);
          const trial = tryFault(fault, watch);
          trials.push(trial.findings);
          const others = await trial.removed;
          if (others.length > 0) progress(`${fault.what}: also firing: ${others.join(', ')}`);
        }
      }),
    );
  }
  return (await Promise.all(trials)).flat();
}
