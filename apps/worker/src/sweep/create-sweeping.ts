import type { DispatchHint, DispatchPolicy } from '@switchboard/core';
import {
  type CircuitBreakerStore,
  type DueMessage,
  type MessageStore,
  type SessionDeliveryStore,
  type UnmatchedCallbackStore,
  createAddUpCounts,
  createStoreBreakdowns,
  createIdempotencyStore,
  createIndexMessages,
  createMailStore,
  createMediaFileStore,
  createMeasureBacklog,
  createOptOutStore,
  createProviderProblemStore,
  createRelayAccountChanges,
  createSessionLeaseStore,
  createSessionStore,
  createShortenWaits,
} from '@switchboard/database';
import type { Logger, Tracer } from '@switchboard/runtime';
import type { Config } from '../config.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { SESSION_LEASE_MS } from '../provider-sessions.ts';
import type { TryTransition } from '../try-transition.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import { createDeleteExpired } from './delete-expired.ts';
import { createDeleteUnusedMedia } from './delete-unused-media.ts';
import { createWorkInParts } from './work-in-parts.ts';
import { type MatchCallbacksDependencies, createMatchCallbacks } from './match-callbacks.ts';
import { createHintAllAgain } from './hint-all-again.ts';
import { type SweepDueDependencies, createSweepDue } from './sweep-due.ts';
import { createStoreLateParts } from './store-late-parts.ts';
import { createSweeper } from './sweeper.ts';
import { type WatchAccountsDependencies, createAccountWatch } from './watch-accounts.ts';
import { createWatchAccountsInUse } from './watch-accounts-in-use.ts';
import { createWatchBacklog } from './watch-backlog.ts';
import { createWatchClock } from './watch-clock.ts';
import { createQueueWatch } from './watch-queue.ts';

export interface SweepingDependencies
  extends
    Pick<SweepDueDependencies, 'dispatchCapacity' | 'reconcileCapacity'>,
    Pick<
      WatchAccountsDependencies,
      'monitor' | 'probeAccount' | 'dispatchMessage' | 'queues' | 'routes' | 'directory'
    >,
    Pick<Parameters<typeof createStoreLateParts>[0], 'longMessages' | 'storeLongMessage'>,
    Pick<
      MatchCallbacksDependencies,
      'providers' | 'resolveProviderAccount' | 'recordKeptCallback'
    > {
  breakers: WatchAccountsDependencies['breakers'] &
    Pick<CircuitBreakerStore, 'countByState' | 'countInUse'>;
  config: Config;
  infrastructure: Pick<Infrastructure, 'database' | 'databaseClock' | 'mediaStorage' | 'producer'>;
  store: MessageStore;
  inbound: { readDueLists(): Promise<void> };
  webhooks: { poll(): Promise<void> };
  erasing: {
    /** Returns whether there is more to do when its time is over. */
    erasePeople(budgetMs: number): Promise<boolean>;
    redactMessages: { poll(): void };
  };
  /** Returns whether there is more to do when its time is over. */
  closeWorkspaces(budgetMs: number): Promise<boolean>;
  /** Null if no mail is sent. */
  mail: { poll(): void } | null;
  outbox: { deleteExpired(limit: number): Promise<number> };
  unmatchedCallbacks: Pick<UnmatchedCallbackStore, 'deleteExpired' | 'takeDue' | 'remove'>;
  deliveries: Pick<SessionDeliveryStore, 'deleteExpired'>;
  transition: TryTransition;
  dispatchHere(hint: DispatchHint): boolean;
  reconcileHere(row: DueMessage): boolean;
  countWaiting(): number;
  policy: DispatchPolicy;
  metrics: WorkerMetrics;
  tracer: Tracer | null;
  logger: Logger;
}

/** The API copies each change at once. These are the ones that it could not copy. */
const RELAY_CHANGES_EVERY_MS = 10_000;
const INDEX_EVERY_MS = 60_000;
const ERASE_EVERY_MS = 1_000;
const CLOSE_EVERY_MS = 1_000;
/** Between two runs, the overview itself counts a day that has changed. */
const BREAK_DOWN_EVERY_MS = 600_000;

/** Creates the sweeper, which finds due rows and watches accounts, queue, backlog and clock. */
export function createSweeping(dependencies: SweepingDependencies) {
  const { config, store, policy, metrics, logger } = dependencies;
  const { database, databaseClock, mediaStorage, producer } = dependencies.infrastructure;
  const { LEASE_MS: leaseMs, PROVIDER_TIMEOUT_MS: callTimeoutMs } = config;
  const leases = createSessionLeaseStore(database);
  const accounts = createAccountWatch({
    ...dependencies,
    messages: store,
    turnMs: callTimeoutMs + leaseMs,
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
      () => queue.startCheck(),
      () => accounts.check(),
      () => dependencies.inbound.readDueLists(),
      () => dependencies.webhooks.poll(),
      () => dependencies.mail?.poll(),
      () => dependencies.erasing.redactMessages.poll(),
      createStoreLateParts(dependencies),
      createMatchCallbacks(dependencies),
      createSweepDue({
        ...dependencies,
        isQueueReachable: queue.isReachable,
        countPending: () => queue.pending() + dependencies.countWaiting(),
        reconcile: dependencies.reconcileHere,
        holdMs: leaseMs,
        concurrency: config.WORKER_CONCURRENCY,
      }),
      createDeleteExpired(
        {
          idempotency_keys: createIdempotencyStore(database),
          sessions: createSessionStore(database),
          unmatched_callbacks: dependencies.unmatchedCallbacks,
          session_deliveries: dependencies.deliveries,
          provider_session_leases: leases,
          provider_problems: createProviderProblemStore(database),
          opt_ins: createOptOutStore(database),
          webhook_deliveries: dependencies.outbox,
          mails: createMailStore(database),
          message_slot_counts: { deleteExpired: createAddUpCounts(database) },
        },
        logger,
        (name, count) => {
          if (name === 'mails') {
            metrics.mails.inc({ result: 'expired' }, count);
            logger.error({ count }, 'mails expired before they could be sent');
          }
          if (name !== 'unmatched_callbacks') return;
          metrics.unmatchedExpired.inc(count);
          logger.warn({ count }, 'unmatched callbacks expired');
        },
      ),
      createWorkInParts(createRelayAccountChanges(database), RELAY_CHANGES_EVERY_MS),
      createWorkInParts(dependencies.erasing.erasePeople, ERASE_EVERY_MS),
      createWorkInParts(dependencies.closeWorkspaces, CLOSE_EVERY_MS),
      createWorkInParts(createIndexMessages(database), INDEX_EVERY_MS),
      createWorkInParts(createStoreBreakdowns(database), BREAK_DOWN_EVERY_MS),
      createDeleteUnusedMedia(createMediaFileStore(database), mediaStorage, logger),
      createWatchBacklog(createMeasureBacklog(database, leaseMs), metrics),
      createWatchAccountsInUse(dependencies.breakers, metrics),
      createWatchClock({
        databaseClock,
        shortenWaits: createShortenWaits(database),
        shortenLeases: () => leases.shorten(SESSION_LEASE_MS),
        longestWaitMs: Math.max(leaseMs, policy.backoffCapMs, ...policy.unknownLookupsMs),
        logger,
      }),
    ],
    metrics,
    logger,
  });
  return { sweeper, accounts, queue };
}
