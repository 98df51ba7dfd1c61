import { callAtRate, repeat } from '@switchboard/testing';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Fault } from './fault.ts';
import type { Service } from './start-service.ts';

const CALL_MS = 1_500;
const LOCKED_MS = 7_000;
const UNLOCKED_MS = 500;
const READS_PER_SECOND = 30;

/** Creates faults of databases and queues that are not reachable, locked, or different between processes. */
export function createStoreFaults(service: Service) {
  const { http, postgres, replica, redis, carrier, api, otherApi, workspaces } = service;

  const databaseStopped: Fault = {
    alerts: [
      'SwitchboardNotReady',
      'SwitchboardSendsRefused',
      'SwitchboardWritesFail',
      'SwitchboardWorkerNotSweeping',
    ],
    what: 'PostgreSQL stopped, with provider calls in flight',
    async cause() {
      await carrier.behave({ latency_ms: CALL_MS });
      await delay(2 * CALL_MS);
      await postgres.stop();
      return async () => {
        await postgres.start();
        await carrier.behave({ latency_ms: 0 });
      };
    },
  };

  const tableLocked: Fault = {
    alerts: [
      'SwitchboardPoolWaits',
      'SwitchboardCallbacksSlow',
      'SwitchboardSendsSlow',
      'SwitchboardErrorBudgetBurnsFast',
    ],
    what: `the \`messages\` table locked for ${LOCKED_MS / 1_000} s at a time`,
    async cause() {
      const client = new pg.Client(postgres.url);
      await client.connect();
      const { apiKey: token } = workspaces.busy;
      const stopReading = callAtRate(READS_PER_SECOND, () =>
        http.send(`${api.url}/api/messages`, { token }).catch(() => undefined),
      );
      const stopLocking = repeat(async () => {
        await client.query('BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
        await delay(LOCKED_MS);
        await client.query('COMMIT');
        await delay(UNLOCKED_MS);
      });
      return async () => {
        await stopLocking();
        await client.end();
        await stopReading();
      };
    },
  };

  const replicaPaused: Fault = {
    alerts: ['SwitchboardReplicaLags'],
    what: 'replay on the replica is paused',
    async cause() {
      await replica.pauseReplay();
      return () => replica.resumeReplay();
    },
  };

  const queueHangs: Fault = {
    alerts: ['SwitchboardQueueUnreachable'],
    what: 'Redis hangs (SIGSTOP)',
    async cause() {
      redis.pause();
      return async () => redis.resume();
    },
  };

  const queuesDiffer: Fault = {
    alerts: ['SwitchboardHintsLost'],
    what: 'one API has a different `REDIS_URL` than the workers',
    async cause() {
      await otherApi.crash();
      await otherApi.start({ REDIS_URL: `${redis.url}/1` });
      return async () => {
        await otherApi.kill(0);
      };
    },
  };

  return { databaseStopped, tableLocked, replicaPaused, queueHangs, queuesDiffer };
}
