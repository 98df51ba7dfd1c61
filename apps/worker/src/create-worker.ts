import { createDispatchPolicy, createTransition } from '@switchboard/core';
import {
  createCircuitBreakerStore,
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
import type { Config } from './config.ts';
import { createDispatch } from './dispatch/create-dispatch.ts';
import { createInbound } from './inbound/create-inbound.ts';
import { createInfrastructure } from './infrastructure.ts';
import { createIntake } from './intake.ts';
import { type Worker, createLifecycle } from './lifecycle.ts';
import { createProbeAccount } from './probe-account.ts';
import { createFindFailingPart } from './readiness.ts';
import { createReconciliation } from './reconcile/create-reconciliation.ts';
import { createRoutes } from './create-routes.ts';
import { createReceiving } from './sessions/create-receiving.ts';
import { createSessions } from './sessions/create-sessions.ts';
import { createStartLatch } from './start-latch.ts';
import { createSweeping } from './sweep/create-sweeping.ts';
import { createTryTransition } from './try-transition.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

/** Composes the worker from its parts. */
export function createWorker(config: Config, logger: Logger, tracer: Tracer | null = null): Worker {
  const { LEASE_MS: leaseMs, PROVIDER_TIMEOUT_MS: callTimeoutMs, SWEEP_MS: hintGraceMs } = config;
  const {
    UNKNOWN_LOOKUPS_MS: unknownLookupsMs,
    UNKNOWN_RECEIPT_MS: unknownReceiptMs,
    POLL_MS: pollsMs,
  } = config;
  const infrastructure = createInfrastructure(config, logger);
  const { database, bus, registry, resolveProviderAccount } = infrastructure;
  const metrics = createWorkerMetrics({
    poolWaiting: () => database.pool.waitingCount,
    sessions: {
      countByState: () => sessions.countByState(),
      countPlaces: () => sessions.countPlaces(),
    },
  });
  const policy = createDispatchPolicy({ unknownLookupsMs, unknownReceiptMs, pollsMs });
  const store = createMessageStore(database, {
    leaseMs,
    hintGraceMs,
    listSessions: () => sessions.listClaims(),
  });
  const breakers = createCircuitBreakerStore(database);
  const providers = createProviderStore(database);
  const unmatchedCallbacks = createUnmatchedCallbackStore(database, registry.isOptOutCode);
  const changes = createTransition({
    store,
    unmatchedCallbacks,
    publishLater: bus.publishLater,
    policy,
    metrics,
  });
  const routes = createRoutes({
    reader: createRouteReader(database),
    textOnlyTypes: registry.adapters
      .filter(({ sendsMedia }) => !sendsMedia)
      .map(({ type }) => type),
    clock: { monotonic: () => performance.now() },
  });
  const transition = createTryTransition(changes.transition);
  const monitor = createAccountMonitor({
    breakers,
    providers,
    callsProve: (type) => registry.get(type)?.callsProveAccount === true,
    hold(workspaceId) {
      routes.forget(workspaceId);
      if (routes.isOnlyAccount(workspaceId)) dispatch.queues.hold(workspaceId);
    },
    chooseAgain: ({ workspaceId, id }) => dispatch.queues.chooseAgain(workspaceId, id),
    logger,
  });
  const probeAccount = createProbeAccount({ resolveProviderAccount, monitor, metrics });
  const reportProblem = createReportProblem({
    problems: createProviderProblemStore(database),
    logger,
  });
  const receiving = createReceiving({
    infrastructure,
    maxPerMinute: config.RATE_LIMIT_WEBHOOKS,
    store,
    unmatchedCallbacks,
    transition: changes.transition,
    policy,
    dispatchHere: (hint) => dispatch.dispatchHere(hint),
    reportProblem,
    metrics,
    logger,
  });
  const sessions = createSessions({
    infrastructure,
    store,
    monitor,
    breakers,
    createReceiver: receiving.createReceiver,
    dispatchHere: (hint, how) => dispatch.dispatchHere(hint, how),
    logger,
  });
  const shared = {
    sessions,
    store,
    resolveProviderAccount,
    transition,
    routes,
    monitor,
    policy,
    metrics,
    tracer,
    logger,
  };

  const dispatch = createDispatch({
    ...shared,
    publicUrl: config.PUBLIC_URL,
    mediaLinks: infrastructure.mediaLinks,
    concurrency: config.WORKER_CONCURRENCY,
    leaseMs,
    callTimeoutMs,
  });
  const { reportDuplicate } = changes;
  const reconciliation = createReconciliation({ ...shared, probeAccount, reportDuplicate });
  const { dispatchHere } = dispatch;
  const inbound = createInbound({
    ...shared,
    publicUrl: config.PUBLIC_URL,
    infrastructure,
    probeAccount,
    dispatchHere,
    reportProblem,
  });
  const outbox = createWebhookOutboxStore(database);
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
  const sweeping = createSweeping({
    ...shared,
    webhooks,
    outbox,
    ...dispatch,
    inbound,
    ...reconciliation,
    config,
    infrastructure,
    breakers,
    unmatchedCallbacks,
    probeAccount,
    queues: dispatch.queues,
    countWaiting: () => dispatch.queues.waiting,
    storeLongMessage: receiving.storeLongMessage,
    longMessages: receiving.longMessages,
    deliveries: receiving.deliveries,
    recordKeptCallback: receiving.recordKeptCallback,
    providers,
    dispatchCapacity: () =>
      withoutCapacity(dispatch.queues.measureCapacity(), sessions.listElsewhere()),
    reconcileCapacity: reconciliation.queues.measureCapacity,
  });
  const latch = createStartLatch();
  const { waitForCapacity } = dispatch.queues;
  const { queueOptions } = infrastructure;
  const intake = createIntake({ queueOptions, latch, dispatchHere, waitForCapacity });
  const findFailingPart = createFindFailingPart({ database, queue: intake, bus });
  const parts = {
    config,
    infrastructure,
    latch,
    intake,
    dispatch,
    reconciliation,
    inbound,
    webhooks,
    sessions,
    sweeping,
    tracer,
  };
  return createLifecycle({ ...parts, metrics, findFailingPart });
}

type Capacity = ReturnType<ReturnType<typeof createDispatch>['queues']['measureCapacity']>;

/** Leaves the messages of these workspaces to the workers that have their sessions. */
function withoutCapacity(capacity: Capacity, workspaceIds: readonly string[]): Capacity {
  const none = workspaceIds.map((id) => [id, 0] as const);
  return { ...capacity, capacities: new Map([...capacity.capacities, ...none]) };
}
