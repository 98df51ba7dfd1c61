import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, repeat } from './fault.ts';
import type { ProcessSlot } from '@switchboard/testing';
import type { Service } from './start-service.ts';

/** Beyond the lease, within the hold. */
const HANGS_MS = 10_000;
const STOPPED_MS = 400;
const RUNNING_MS = 150;
/** Later than a worker starts, earlier than a call that hangs is given up. */
const INTO_THE_CALL_MS = 2_000;

async function killAll(processes: readonly ProcessSlot[]): Promise<() => Promise<void>> {
  await Promise.all(processes.map((one) => one.crash()));
  return async () => {
    await Promise.all(processes.map((one) => one.start()));
  };
}

/** Processes that end, stand still or are late. */
export function createProcessFaults({ api, otherApi, workers, carrier }: Service) {
  const [worker, otherWorker] = workers;

  const oneWorkerGone: Fault = {
    alerts: ['SwitchboardProcessDown'],
    what: 'kill -9 of one of two workers',
    cause: () => killAll([otherWorker]),
  };

  const workersGone: Fault = {
    alerts: ['SwitchboardNoWorker'],
    what: 'kill -9 of all workers',
    cause: () => killAll(workers),
  };

  const apisGone: Fault = {
    alerts: ['SwitchboardNoApi'],
    what: 'kill -9 of all APIs',
    cause: () => killAll([api, otherApi]),
  };

  const workerLate: Fault = {
    alerts: ['SwitchboardEventLoopLag'],
    what: `one worker stopped for ${STOPPED_MS} of every ${STOPPED_MS + RUNNING_MS} ms (SIGSTOP)`,
    cause: async () =>
      repeat(async () => {
        otherWorker.signal('SIGSTOP');
        await pause(STOPPED_MS);
        otherWorker.signal('SIGCONT');
        await pause(RUNNING_MS);
      }),
  };

  // The provider must not have the message yet: else its callback settles it before its lease ends.
  const workerCrashes: Fault = {
    alerts: ['SwitchboardLeasesExpire', 'SwitchboardProcessRestarts'],
    what: 'kill -9 of one worker in calls on which the provider hangs, again and again',
    async cause() {
      await carrier.behave({ accept_then_hang: 1, accept_late_ms: HANGS_MS });
      const stop = repeat(async () => {
        await pause(INTO_THE_CALL_MS);
        await worker.kill(0);
      });
      return async () => {
        await stop();
        await carrier.behave({ accept_then_hang: 0, accept_late_ms: 0 });
      };
    },
  };

  return { oneWorkerGone, workersGone, apisGone, workerLate, workerCrashes };
}
