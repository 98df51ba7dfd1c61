import { setTimeout as pause } from 'node:timers/promises';
import {
  type Clock,
  type DispatchHint,
  INTAKE_CONCURRENCY,
  POOL_SIZES,
  createDispatchPolicy,
  createTransition,
} from '@switchboard/core';
import {
  type DueMessage,
  MigrationError,
  createCircuitBreakerStore,
  createDatabase,
  createDatabaseClock,
  createShortenWaits,
  createIdempotencyStore,
  createMeasureBacklog,
  createMessageStore,
  createProcessReport,
  createProcessStore,
  createProviderStore,
  createSchemaCheck,
  createSessionStore,
  createUnmatchedCallbackStore,
} from '@switchboard/database';
import { createEventBus } from '@switchboard/events';
import {
  createProviderRegistry,
  createResolveProviderAccount,
  readApiUrls,
} from '@switchboard/providers';
import { createHintConsumer, createHintProducer } from '@switchboard/queue';
import {
  type Logger,
  type ShutdownPhase,
  StartRefusedError,
  type Tracer,
  createSecretBox,
  exportTraces,
  rememberOpened,
} from '@switchboard/runtime';
import { createAccountMonitor } from './account-monitor.ts';
import { createProbeAccount } from './probe-account.ts';
import { createAccountWatch } from './sweep/watch-accounts.ts';
import type { Config } from './config.ts';
import { createCallProvider } from './dispatch/call-provider.ts';
import { createDispatchMessage } from './dispatch/dispatch-message.ts';
import { createLanes } from './lanes.ts';
import { startMetricsServer } from './metrics-server.ts';
import { createLookUpMessage } from './reconcile/look-up-message.ts';
import { createPollMessage } from './reconcile/poll-message.ts';
import { createReconcile } from './reconcile/reconcile.ts';
import { createDeleteExpired } from './sweep/delete-expired.ts';
import { createHintAllAgain } from './sweep/hint-all-again.ts';
import { createSweepDue } from './sweep/sweep-due.ts';
import { createSweeper } from './sweep/sweeper.ts';
import { createWatchBacklog } from './sweep/watch-backlog.ts';
import { createWatchClock } from './sweep/watch-clock.ts';
import { createQueueWatch } from './sweep/watch-queue.ts';
import { createLogBackgroundError } from './background-errors.ts';
import { createTryTransition } from './try-transition.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

export interface Worker {
  /**
   * Resolves with the worker's address once the database answers, however long that takes. Rejects
   * when it is older than this version.
   */
  start(): Promise<string>;
  shutdownPhases: readonly ShutdownPhase[];
}

/** About a sweep: that is how long a queue that hangs may delay one, once. */
const QUEUE_TIMEOUT_MS = 1_000;
const BUS_TIMEOUT_MS = 2_000;
const READY_CHECK_MS = 250;
/** Hints that may wait in this process, of one workspace and of all; the rows keep the others. */
const HINTS_WAITING = { maxWaiting: 2_000, maxWaitingInAll: 20_000 };
/** Rows, with their texts, that may wait to be looked up or polled. */
const ROWS_WAITING = { maxWaiting: 200, maxWaitingInAll: 2_000 };
/** So long a handful of hints may hold a place of the queue's while a workspace of theirs has enough waiting here. */
const INTAKE_PATIENCE_MS = 250;
/** Look-ups and polls under way at one time. */
const RECONCILE_CONCURRENCY = 8;
const WRITES_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** The whole worker, put together. Nothing runs before `start`, save connecting. */
export function createWorker(config: Config, logger: Logger, tracer: Tracer | null = null): Worker {
  const { LEASE_MS: leaseMs, PROVIDER_TIMEOUT_MS: callTimeoutMs } = config;
  const concurrency = config.WORKER_CONCURRENCY;
  const logBackgroundError = createLogBackgroundError(logger);
  const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const policy = createDispatchPolicy({
    unknownLookupsMs: config.UNKNOWN_LOOKUPS_MS,
    pollsMs: config.POLL_MS,
  });
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: POOL_SIZES.worker,
    applicationName: 'switchboard-worker',
    onError: (error) => logBackgroundError('database', error),
  });
  const databaseClock = createDatabaseClock({
    database,
    onError: (error) => logBackgroundError('clock', error),
  });
  const metrics = createWorkerMetrics({ poolWaiting: () => database.pool.waitingCount });
  const store = createMessageStore(database, { leaseMs, hintGraceMs: config.SWEEP_MS });
  const providers = createProviderRegistry({
    apiUrls: readApiUrls(config),
    callTimeoutMs,
    // Look-ups never take a connection that a send is waiting for.
    maxConnections: concurrency + RECONCILE_CONCURRENCY,
  });
  const secretBox = createSecretBox(config.SECRET_KEY);
  const resolveProviderAccount = createResolveProviderAccount({
    registry: providers,
    secretBox: rememberOpened(secretBox),
  });
  const unmatchedCallbacks = createUnmatchedCallbackStore(database, providers.isOptOutCode);
  const backend = {
    redisUrl: config.REDIS_URL ?? null,
    // What listens and locks needs a connection that stays its own.
    databaseUrl: config.DIRECT_DATABASE_URL ?? config.DATABASE_URL,
  };
  const bus = createEventBus({
    ...backend,
    timeoutMs: BUS_TIMEOUT_MS,
    onError: (error) => logBackgroundError('bus', error),
  });
  const queueOptions = {
    ...backend,
    timeoutMs: QUEUE_TIMEOUT_MS,
    onError: (error: Error) => logBackgroundError('queue', error),
  };
  const producer = createHintProducer(queueOptions);
  const processReport = createProcessReport({
    store: createProcessStore(database),
    role: 'worker',
    keyIds: secretBox.keyIds,
    onError: (error) => logBackgroundError('process list', error),
  });

  const { transition: write, reportDuplicate } = createTransition({
    store,
    unmatchedCallbacks,
    publishLater: bus.publishLater,
    policy,
    metrics,
  });
  const transition = createTryTransition(write);
  const breakers = createCircuitBreakerStore(database);
  const monitor = createAccountMonitor({
    breakers,
    providers: createProviderStore(database),
    hold: (workspaceId) => dispatchLanes.hold(workspaceId),
    logger,
  });
  const probeAccount = createProbeAccount({ resolveProviderAccount, monitor, metrics });
  const dispatchMessage = createDispatchMessage({
    store,
    callProvider: createCallProvider({ resolveProviderAccount, publicUrl: config.PUBLIC_URL }),
    transition,
    monitor,
    policy,
    clock,
    leaseMs,
    callTimeoutMs,
    metrics,
    tracer,
    logger,
  });
  const dispatchLanes = createLanes<{ id: string; lane: string; hint: DispatchHint }>({
    concurrency,
    ...HINTS_WAITING,
    run: ({ hint }) => dispatchMessage(hint),
  });
  function dispatchHere(hint: DispatchHint): boolean {
    const taken = dispatchLanes.add({ id: hint.messageId, lane: hint.workspaceId, hint });
    metrics.waiting.set(dispatchLanes.waiting);
    return taken;
  }

  const reconcile = createReconcile({
    lookUpMessage: createLookUpMessage({
      store,
      resolveProviderAccount,
      transition,
      probeAccount,
      monitor,
      policy,
      metrics,
    }),
    pollMessage: createPollMessage({
      store,
      resolveProviderAccount,
      reportDuplicate,
      transition,
      policy,
      metrics,
    }),
    monitor,
    tracer,
    logger,
  });
  const reconcileLanes = createLanes<{ id: string; lane: string; row: DueMessage }>({
    concurrency: RECONCILE_CONCURRENCY,
    ...ROWS_WAITING,
    run: ({ row }) => reconcile(row),
  });

  const accounts = createAccountWatch({
    breakers,
    messages: store,
    monitor,
    probeAccount,
    dispatchMessage,
    holdOnly: (workspaceIds) => dispatchLanes.holdOnly(workspaceIds),
    policy,
    turnMs: callTimeoutMs + leaseMs,
    metrics,
    logger,
  });
  const queue = createQueueWatch({
    producer,
    hintAllAgain: createHintAllAgain({ store, producer }),
    metrics,
    logger,
  });
  const sweeper = createSweeper({
    everyMs: config.SWEEP_MS,
    tasks: [
      () => queue.look(),
      () => accounts.look(),
      createSweepDue({
        store,
        isQueueReachable: queue.isReachable,
        countPending: () => queue.pending() + dispatchLanes.waiting,
        transition,
        dispatchHere,
        dispatchRoom: () => dispatchLanes.measureRoom(),
        reconcileRoom: () => reconcileLanes.measureRoom(),
        reconcile: (row) => reconcileLanes.add({ id: row.id, lane: row.workspaceId, row }),
        policy,
        holdMs: leaseMs,
        concurrency,
        metrics,
        tracer,
        logger,
      }),
      createDeleteExpired(
        {
          idempotency_keys: createIdempotencyStore(database),
          sessions: createSessionStore(database),
          unmatched_callbacks: unmatchedCallbacks,
        },
        logger,
        (name, count) => {
          if (name !== 'unmatched_callbacks') return;
          metrics.unmatchedExpired.inc(count);
          logger.warn({ count }, 'unmatched callbacks expired');
        },
      ),
      createWatchBacklog(createMeasureBacklog(database, leaseMs), metrics),
      createWatchClock({
        databaseClock,
        shortenWaits: createShortenWaits(database),
        longestWaitMs: Math.max(leaseMs, policy.backoffCapMs, ...policy.unknownLookupsMs),
        logger,
      }),
    ],
    metrics,
    logger,
  });

  /** Whether hints may be worked on; nothing touches a database that this version does not know. */
  let begin: (isFit: boolean) => void = () => undefined;
  const begun = new Promise<boolean>((resolve) => {
    begin = resolve;
  });

  // A hint is answered for when it waits here, though no faster than its workspace's others are
  // worked off: a backlog stays in the queue, where the order is fair and all workers share it.
  const consumer = createHintConsumer({
    ...queueOptions,
    concurrency: INTAKE_CONCURRENCY,
    process: async (hints) => {
      if (!(await begun)) return;
      for (const hint of hints) dispatchHere(hint);
      const workspaceIds = new Set(hints.map((hint) => hint.workspaceId));
      await Promise.all(
        [...workspaceIds].map((id) => dispatchLanes.whenRoom(id, INTAKE_PATIENCE_MS)),
      );
    },
  });

  async function findFault(): Promise<string | null> {
    const parts = { database, queue: consumer, bus };
    for (const [name, part] of Object.entries(parts)) {
      try {
        await part.ping();
      } catch {
        return `The ${name} does not answer`;
      }
    }
    return null;
  }

  let stopWaiting = false;
  let server: Awaited<ReturnType<typeof startMetricsServer>> | null = null;

  return {
    async start() {
      if (config.METRICS_PORT !== undefined) {
        const { HOST: host, METRICS_PORT: port } = config;
        server = await startMetricsServer({ host, port, metrics, findFault });
      }
      const checkSchema = createSchemaCheck(database);
      while (!stopWaiting && !(await isGood(checkSchema))) await pause(READY_CHECK_MS);
      if (!stopWaiting) {
        await processReport.start();
        begin(true);
        await databaseClock.start();
        sweeper.start();
      }
      return server?.url ?? `worker:${process.pid}`;
    },

    shutdownPhases: [
      {
        name: 'take no more hints',
        timeoutMs: CLOSE_TIMEOUT_MS,
        async run() {
          stopWaiting = true;
          begin(false);
          databaseClock.stop();
          await Promise.all([consumer.close(CLOSE_TIMEOUT_MS / 2), sweeper.stop(), queue.stop()]);
        },
      },
      {
        name: 'hand waiting hints to others',
        timeoutMs: QUEUE_TIMEOUT_MS,
        async run() {
          reconcileLanes.stop();
          const hints = dispatchLanes.stop().map(({ hint }) => hint);
          // Without it they are the sweepers'.
          if (queue.isReachable()) await producer.enqueue(hints);
        },
      },
      {
        name: 'finish provider calls and their writes',
        timeoutMs: callTimeoutMs + WRITES_TIMEOUT_MS,
        run: () => Promise.all([dispatchLanes.idle(), reconcileLanes.idle(), accounts.stop()]),
      },
      {
        name: 'publish what was written',
        // For the last notices, and for the leave.
        timeoutMs: 2 * BUS_TIMEOUT_MS,
        run: () => bus.close(),
      },
      {
        name: 'close',
        timeoutMs: CLOSE_TIMEOUT_MS,
        async run() {
          await Promise.all([
            providers.close(),
            producer.close(),
            server?.close(),
            processReport.stop(),
          ]);
          await database.close();
        },
      },
      ...exportTraces(tracer),
    ],
  };
}

async function isGood(checkSchema: () => Promise<void>): Promise<boolean> {
  try {
    await checkSchema();
    return true;
  } catch (error) {
    if (error instanceof MigrationError) throw new StartRefusedError(error.message);
    return false;
  }
}
