import { randomUUID } from 'node:crypto';
import { createDispatchPolicy, createTransition } from '@switchboard/core';
import {
  createCircuitBreakerStore,
  createClosingStore,
  createMessageEventStore,
  createMessageStore,
  createProviderProblemStore,
  createProviderStore,
  createRouteReader,
  createUnmatchedCallbackStore,
  createWebhookOutboxStore,
} from '@switchboard/database';
import { type Logger, type Tracer, createReportProblem } from '@switchboard/runtime';
import { createAccountMonitor } from './account-monitor.ts';
import { createCloseWorkspaces } from './close/close-workspaces.ts';
import type { Config } from './config.ts';
import { createRoutes } from './create-routes.ts';
import { createDispatch, createDispatchQueues } from './dispatch/create-dispatch.ts';
import { createErasing } from './erase/create-erasing.ts';
import { createInbound } from './inbound/create-inbound.ts';
import { createInfrastructure } from './infrastructure.ts';
import { createIntake } from './intake.ts';
import { type Worker, createLifecycle } from './lifecycle.ts';
import { createMail } from './mail/create-mail.ts';
import { createProbeAccount } from './probe-account.ts';
import { createFindFailingPart } from './readiness.ts';
import { createReconciliation } from './reconcile/create-reconciliation.ts';
import { createCallCounts } from './sessions/call-counts.ts';
import { createReceiving } from './sessions/create-receiving.ts';
import { createSessions } from './sessions/create-sessions.ts';
import { createHintForwarding } from './sessions/forward-hints.ts';
import { createSessionDirectory } from './sessions/session-directory.ts';
import { createStartLatch } from './start-latch.ts';
import { createSweeping } from './sweep/create-sweeping.ts';
import { createTryTransition } from './try-transition.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

/** Composes the worker from its parts. Each part uses only those that were created before it. */
export async function createWorker(
  config: Config,
  logger: Logger,
  tracer: Tracer | null = null,
): Promise<Worker> {
  const { LEASE_MS: leaseMs, PROVIDER_TIMEOUT_MS: callTimeoutMs, SWEEP_MS: hintGraceMs } = config;
  const {
    PUBLIC_URL: publicUrl,
    UNKNOWN_LOOKUPS_MS: unknownLookupsMs,
    UNKNOWN_RECEIPT_MS: unknownReceiptMs,
    POLL_MS: pollsMs,
  } = config;
  const infrastructure = await createInfrastructure(config, logger);
  const { database, bus, registry, resolveProviderAccount, queueOptions } = infrastructure;

  // State of this process.
  const directory = createSessionDirectory({
    workerId: randomUUID(),
    types: registry.adapters.filter(({ sessions }) => sessions !== null).map(({ type }) => type),
  });
  const calls = createCallCounts();
  const forwarding = createHintForwarding({ workerId: directory.workerId, bus });
  const queues = createDispatchQueues(config.WORKER_CONCURRENCY);
  const metrics = createWorkerMetrics({
    poolWaiting: () => database.pool.waitingCount,
    sessions: directory,
  });

  // Rows.
  const policy = createDispatchPolicy({ unknownLookupsMs, unknownReceiptMs, pollsMs });
  const store = createMessageStore(database, {
    leaseMs,
    hintGraceMs,
    listSessions: directory.listClaims,
  });
  const breakers = createCircuitBreakerStore(database);
  const providers = createProviderStore(database);
  const unmatchedCallbacks = createUnmatchedCallbackStore(database);
  const outbox = createWebhookOutboxStore(database);
  const changes = createTransition({
    store,
    unmatchedCallbacks,
    publishLater: bus.publishLater,
    policy,
    metrics,
  });
  const reportProblem = createReportProblem({
    problems: createProviderProblemStore(database),
    logger,
  });

  // Accounts.
  const routes = createRoutes({
    reader: createRouteReader(database),
    textOnlyTypes: registry.adapters
      .filter(({ sendsMedia }) => !sendsMedia)
      .map(({ type }) => type),
    measureWait: queues.measureWait,
    clock: { monotonic: () => performance.now() },
  });
  const monitor = createAccountMonitor({
    breakers,
    providers,
    callsProve: (type) => registry.get(type)?.callsProveAccount === true,
    routes,
    queues,
    logger,
  });
  const probeAccount = createProbeAccount({ resolveProviderAccount, monitor, metrics });

  // Messages.
  const shared = {
    directory,
    store,
    resolveProviderAccount,
    transition: createTryTransition(changes.transition),
    routes,
    monitor,
    policy,
    metrics,
    tracer,
    logger,
  };
  const { dispatchMessage, dispatchHere } = createDispatch({
    ...shared,
    queues,
    calls,
    forwardHint: forwarding.forward,
    publicUrl,
    mediaLinks: infrastructure.mediaLinks,
    leaseMs,
    callTimeoutMs,
  });
  const reconciliation = createReconciliation({
    ...shared,
    probeAccount,
    reportDuplicate: changes.reportDuplicate,
  });
  const receiving = createReceiving({
    infrastructure,
    maxPerMinute: config.RATE_LIMIT_WEBHOOKS,
    store,
    unmatchedCallbacks,
    transition: changes.transition,
    policy,
    dispatchHere,
    reportProblem,
    metrics,
    logger,
  });
  const sessions = createSessions({
    infrastructure,
    directory,
    calls,
    forwarding,
    store,
    monitor,
    breakers,
    createReceiver: receiving.createReceiver,
    dispatchHere,
    logger,
  });
  const inbound = createInbound({
    ...shared,
    publicUrl,
    infrastructure,
    probeAccount,
    dispatchHere,
    reportProblem,
  });
  const webhooks = createWebhooks({
    store: outbox,
    events: createMessageEventStore(database),
    bus,
    poster: infrastructure.poster,
    secretBox: infrastructure.openedSecrets,
    clock: infrastructure.databaseClock,
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    retryDelaysMs: config.WEBHOOK_RETRIES_MS,
    metrics,
    logger,
  });

  const erasing = createErasing({ ...shared, database });
  const closeWorkspaces = createCloseWorkspaces({
    ...shared,
    store: createClosingStore(database),
    publishLater: bus.publishLater,
  });
  const mail = createMail({ config, infrastructure, metrics, logger });

  // What starts the work.
  const sweeping = createSweeping({
    ...shared,
    ...receiving,
    webhooks,
    erasing,
    closeWorkspaces,
    mail,
    outbox,
    dispatchMessage,
    dispatchHere,
    reconcileHere: reconciliation.reconcileHere,
    inbound,
    config,
    infrastructure,
    breakers,
    unmatchedCallbacks,
    probeAccount,
    queues,
    countWaiting: () => queues.waiting,
    providers,
    dispatchCapacity: () => withoutCapacity(queues.measureCapacity(), directory.listElsewhere()),
    reconcileCapacity: reconciliation.queues.measureCapacity,
  });
  const latch = createStartLatch();
  const { waitForCapacity } = queues;
  const intake = createIntake({ queueOptions, latch, dispatchHere, waitForCapacity });
  return createLifecycle({
    config,
    logger,
    infrastructure,
    latch,
    intake,
    queues,
    reconciliation,
    inbound,
    webhooks,
    mail,
    erasing,
    sessions,
    sweeping,
    tracer,
    metrics,
    findFailingPart: createFindFailingPart({ database, queue: intake, bus }),
  });
}

type Capacity = ReturnType<ReturnType<typeof createDispatchQueues>['measureCapacity']>;

/** Leaves the messages of these workspaces to the workers that have their sessions. */
function withoutCapacity(capacity: Capacity, workspaceIds: readonly string[]): Capacity {
  const none = workspaceIds.map((id) => [id, 0] as const);
  return { ...capacity, capacities: new Map([...capacity.capacities, ...none]) };
}
