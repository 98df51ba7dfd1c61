import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { type ProcessSlot, repeat } from '@switchboard/testing';
import type { Service } from './start-service.ts';

/** Longer than the lease, shorter than the hold. */
const HANGS_MS = 10_000;
const STOPPED_MS = 400;
const RUNNING_MS = 150;
/** Longer than a worker needs to start, shorter than the timeout of a provider call. */
const INTO_THE_CALL_MS = 2_000;

async function killAll(processes: readonly ProcessSlot[]): Promise<() => Promise<void>> {
  await Promise.all(processes.map((one) => one.crash()));
  return async () => {
    await Promise.all(processes.map((one) => one.start()));
  };
}

/** Creates faults of processes that end or lag. */
export function createProcessFaults({ api, otherApi, workers, carrier }: Service) {
  const [worker, otherWorker] = workers;

  const oneWorkerDown: Fault = {
    alerts: ['SwitchboardProcessDown'],
    what: 'kill -9 of one of two workers',
    cause: () => killAll([otherWorker]),
  };

  const workersDown: Fault = {
    alerts: ['SwitchboardNoWorker'],
    what: 'kill -9 of all workers',
    cause: () => killAll(workers),
  };

  const apisDown: Fault = {
    alerts: ['SwitchboardNoApi'],
    what: 'kill -9 of all APIs',
    cause: () => killAll([api, otherApi]),
  };

  const workerBlocked: Fault = {
    alerts: ['SwitchboardEventLoopLag'],
    what: `one worker stopped for ${STOPPED_MS} of every ${STOPPED_MS + RUNNING_MS} ms (SIGSTOP)`,
    cause: async () =>
      repeat(async () => {
        otherWorker.signal('SIGSTOP');
        await delay(STOPPED_MS);
        otherWorker.signal('SIGCONT');
        await delay(RUNNING_MS);
      }),
  };

  // The provider must not accept the message early: its callback would resolve it before the lease expires.
  const workerCrashes: Fault = {
    alerts: ['SwitchboardLeasesExpire', 'SwitchboardProcessRestarts'],
    what: 'kill -9 of one worker during calls on which the provider hangs, repeatedly',
    async cause() {
      await carrier.behave({ accept_then_hang: 1, accept_late_ms: HANGS_MS });
      const stop = repeat(async () => {
        await delay(INTO_THE_CALL_MS);
        await worker.kill(0);
      });
      return async () => {
        await stop();
        await carrier.behave({ accept_then_hang: 0, accept_late_ms: 0 });
      };
    },
  };

  return { oneWorkerDown, workersDown, apisDown, workerBlocked, workerCrashes };
}
