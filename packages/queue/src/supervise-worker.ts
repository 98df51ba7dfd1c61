import { setTimeout as pause } from 'node:timers/promises';

import {
  type HintConsumer,
  type HintConsumerOptions,
  reconnectDelayMs,
  withinTime,
} from '@switchboard/core';
import { type Job, WaitingError, type Worker } from 'bullmq';

import { type JobData, hintsOf } from './dispatch-job.ts';

/** What a backend gives to BullMQ's worker as its processor. */
export type Take = (
  job: Pick<Job<JobData>, 'data' | 'moveToWait'>,
  token?: string,
) => Promise<void>;

/** One attempt at a worker, with connections of its own. Not running yet. */
export interface BuiltWorker {
  worker: Pick<Worker, 'run' | 'pause' | 'close' | 'isRunning' | 'waitUntilReady'>;
  ping(): Promise<void>;
  /** Ends a wait for jobs, so that a paused worker notices at once. */
  wake(): Promise<void>;
  /** Drops the connections, whatever state they are in. Safe to call twice. */
  release(): Promise<void>;
}

export interface SupervisorOptions extends Pick<HintConsumerOptions, 'process'> {
  timeoutMs: number;
  onError(error: Error): void;
  build(take: Take): BuiltWorker;
}

/**
 * A BullMQ worker whose first look at its backend fails stays dead for ever. So it is built anew,
 * with new connections, until one gets ready; from then on BullMQ and the drivers reconnect.
 *
 * building (until ready) → running → building again, should BullMQ's loop ever end;
 * from any of them → closing, which is final.
 */
export function superviseWorker(options: SupervisorOptions): HintConsumer {
  const { timeoutMs, onError } = options;
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  let current: BuiltWorker | null = null;
  let running: Promise<void> = Promise.resolve();

  async function take(job: Parameters<Take>[0], token?: string): Promise<void> {
    // BullMQ may still bring the job it was fetching when it was told to stop. It goes back.
    if (closing.signal.aborted) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const processed = processHints(job.data);
    underWay.add(processed);
    await processed;
    underWay.delete(processed);
  }

  /** Never throws: a job that failed would be kept nowhere anyway. */
  async function processHints(data: JobData): Promise<void> {
    try {
      await options.process(hintsOf(data));
    } catch (error) {
      onError(toError(error));
    }
  }

  async function keepRunning(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const built = options.build(take);
      current = built;
      try {
        await withinTime(built.worker.waitUntilReady(), timeoutMs, 'starting the queue worker');
        if (closing.signal.aborted) return;
        failures = 0;
        running = built.worker.run();
        await running;
      } catch (error) {
        onError(toError(error));
      }
      if (closing.signal.aborted) return;
      await letGo(built);
      await pause(reconnectDelayMs(failures), undefined, { signal: closing.signal }).catch(
        () => undefined, // Aborted: the loop's condition ends it.
      );
      failures += 1;
    }
  }

  async function letGo(built: BuiltWorker): Promise<void> {
    // Forced: it waits for nothing that may never come. What could be waited for, was.
    await withinTime(built.worker.close(true), timeoutMs, 'closing the queue worker').catch(
      (error: unknown) => onError(toError(error)),
    );
    await built.release();
  }

  void keepRunning();

  return {
    async ping() {
      if (closing.signal.aborted || current === null || !current.worker.isRunning()) {
        throw new Error('The queue worker is not running.');
      }
      await withinTime(current.ping(), timeoutMs, 'pinging the queue');
    },

    async close(graceMs) {
      closing.abort();
      const built = current;
      if (built === null) return;
      await built.worker.pause(true);
      await endsWithin(Promise.all(underWay), graceMs);
      // The last jobs still have to be marked as done, which needs the backend.
      await endsWithin(Promise.all([built.wake(), running]), underWay.size > 0 ? 0 : timeoutMs);
      await letGo(built);
    },
  };
}

/** Waits for `work` to settle, either way, but no longer than `limitMs`. */
async function endsWithin(work: Promise<unknown>, limitMs: number): Promise<void> {
  await withinTime(work, limitMs, 'closing').catch(() => undefined);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
