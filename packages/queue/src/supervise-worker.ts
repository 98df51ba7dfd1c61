import { setTimeout as delay } from 'node:timers/promises';

import {
  type HintConsumer,
  type HintConsumerOptions,
  reconnectDelayMs,
  withinTime,
} from '@switchboard/core';
import { type Job, WaitingError, type Worker } from 'bullmq';

import { type JobData, hintsOf } from './dispatch-job.ts';

/** The processor of BullMQ's worker. */
export type Take = (
  job: Pick<Job<JobData>, 'data' | 'moveToWait'>,
  token?: string,
) => Promise<void>;

/** What a BullMQ worker calls with its jobs. */
export interface JobHandlers {
  /** Must be called with a job when it was fetched, before `take`. */
  startEarly(job: Pick<Job<JobData>, 'data'>): void;
  take: Take;
}

/** A BullMQ worker with connections of its own, not running yet. */
export interface BuiltWorker {
  worker: Pick<Worker, 'run' | 'pause' | 'close' | 'isRunning' | 'waitUntilReady'>;
  ping(): Promise<void>;
  /** Ends a wait for jobs, so that a paused worker stops immediately. */
  wake(): Promise<void>;
  /** Closes the connections, whatever their state. Safe to call twice. */
  release(): Promise<void>;
}

export interface SupervisorOptions extends Pick<HintConsumerOptions, 'process'> {
  timeoutMs: number;
  onError(error: Error): void;
  build(handlers: JobHandlers): BuiltWorker;
}

/**
 * Keeps a BullMQ worker running. A worker whose first connection fails never recovers, so it is built
 * again with new connections until one is ready; from then on BullMQ and the drivers reconnect.
 *
 * building (until ready) → running → building again, if BullMQ's loop ends;
 * from each of them → closing, which is final.
 */
export function superviseWorker(options: SupervisorOptions): HintConsumer {
  const { timeoutMs, onError } = options;
  const closing = new AbortController();
  const inFlight = new Set<Promise<void>>();
  /** Jobs that are processed before BullMQ passes them to `take`. */
  const started = new WeakMap<object, Promise<void>>();
  let current: BuiltWorker | null = null;
  let running: Promise<void> = Promise.resolve();

  async function take(job: Parameters<Take>[0], token?: string): Promise<void> {
    // BullMQ may deliver a job that it was fetching when it was stopped. The job returns to the
    // queue.
    const known = started.get(job);
    if (closing.signal.aborted && known === undefined) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    await (known ?? begin(job.data));
  }

  /**
   * Processes a job as soon as it is fetched. BullMQ first tries to fetch one more, and a message of an
   * idle service would wait for that round trip.
   */
  function startEarly(job: Parameters<JobHandlers['startEarly']>[0]): void {
    if (!closing.signal.aborted) started.set(job, begin(job.data));
  }

  function begin(data: JobData): Promise<void> {
    const processed = processHints(data);
    inFlight.add(processed);
    return processed.finally(() => inFlight.delete(processed));
  }

  /** Never throws: failed jobs are not kept, and the sweeper finds the messages. */
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
      const built = options.build({ startEarly, take });
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
      await release(built);
      await delay(reconnectDelayMs(failures), undefined, { signal: closing.signal }).catch(
        () => undefined, // Aborted: the loop's condition ends it.
      );
      failures += 1;
    }
  }

  async function release(built: BuiltWorker): Promise<void> {
    // Forced, so that it does not wait for a backend that may never answer.
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
      await waitUpTo(graceMs, Promise.all(inFlight));
      // The last jobs must still be marked as done, which needs the backend.
      await waitUpTo(inFlight.size > 0 ? 0 : timeoutMs, Promise.all([built.wake(), running]));
      await release(built);
    },
  };
}

/** Waits until `work` resolves or rejects, but no longer than `limitMs`. */
async function waitUpTo(limitMs: number, work: Promise<unknown>): Promise<void> {
  await withinTime(work, limitMs, 'closing').catch(() => undefined);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
