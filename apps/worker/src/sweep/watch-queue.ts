import type { HintProducer } from '@switchboard/core';
import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface QueueWatchDependencies {
  producer: Pick<HintProducer, 'checkContinuity' | 'countPending'>;
  /** Queues the hint of every ready message again. */
  hintAllAgain(): Promise<number>;
  metrics: Pick<WorkerMetrics, 'pending'>;
  logger: Logger;
}

export interface QueueWatch {
  /** Starts a check of the queue unless one is in progress. Never waits, so a hung queue delays no sweep. */
  startCheck(): void;
  isReachable(): boolean;
  /** Jobs waiting and active, as of the last check. */
  pending(): number;
  /** Waits for the check in progress. */
  stop(): Promise<void>;
}

export function createQueueWatch(dependencies: QueueWatchDependencies): QueueWatch {
  const { producer, metrics, logger } = dependencies;
  let reachable = true;
  // A queue that has not been checked yet may be long.
  let pending = Number.POSITIVE_INFINITY;
  /** Why all ready messages need new hints; null if they do not. */
  let hintReason: 'lost' | 'unseen' | null = null;
  let checking: Promise<void> | null = null;

  async function check(): Promise<void> {
    try {
      // The queue reports a loss only once, so this stays set until all messages have new hints.
      const continuity = await producer.checkContinuity();
      if (continuity !== 'intact') hintReason = continuity;
      pending = await producer.countPending();
      metrics.pending.set(pending);
      if (!reachable) logger.info('queue connection restored');
      reachable = true;
      if (hintReason !== null) {
        const count = await dependencies.hintAllAgain();
        if (hintReason === 'lost') {
          logger.warn({ count }, 'queue was emptied, queued all hints again');
        } else if (count > 0) {
          logger.info({ count }, 'queue is new, queued all hints');
        }
        hintReason = null;
      }
    } catch (error) {
      if (reachable) logger.warn({ err: error }, 'queue unreachable, sending without it');
      reachable = false;
    }
  }

  return {
    startCheck() {
      checking ??= check().finally(() => {
        checking = null;
      });
    },
    isReachable: () => reachable,
    pending: () => pending,
    async stop() {
      await checking;
    },
  };
}
