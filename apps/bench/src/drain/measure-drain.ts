import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { ChildProcess, WorkspaceFixture } from '@switchboard/testing';
import { configureCarrier } from '../carrier/configure-carrier.ts';
import { readCpuSeconds } from '../environment/cpu-seconds.ts';
import { startIdleShare } from '../environment/read-idle-share.ts';
import type { BenchEnvironment } from '../environment/open-environment.ts';
import { queueBacklog } from '../environment/queue-backlog.ts';

/** Callbacks are off, so no API is needed. */
const PUBLIC_URL = 'http://127.0.0.1:9';
const POLL_MS = 50;

export interface DrainPlan {
  workspaces: readonly WorkspaceFixture[];
  /** The number of messages in the backlog. */
  count: number;
  workers: number;
  /** Settings of the workers, in addition to their concurrency. Undefined removes a setting. */
  env?: Record<string, string | undefined>;
  /**
   * Only the part of the backlog between these shares is measured, without the start and the last calls,
   * and at most this many seconds of it.
   */
  from: number;
  to: number;
  seconds: number;
}

export interface Drained {
  perSecond: number;
  /** The CPU time for each message, by process. */
  cpuMicros: { worker: number; PostgreSQL: number };
  /** The share of the machine's CPU time that was idle. */
  idle: number;
}

/** Starts a carrier that sends no callbacks and answers after `latencyMs`. */
export async function startQuietCarrier(
  environment: BenchEnvironment,
  latencyMs: number,
): Promise<ChildProcess> {
  const carrier = await environment.startCheapCarrier();
  await configureCarrier(carrier, 'callbacks/off');
  await configureCarrier(carrier, `latency/${latencyMs}`);
  return carrier;
}

/**
 * Queues a backlog, starts workers, and measures how fast they send it. The carrier responds when all workers
 * are ready, so that the first of them cannot send the backlog while the others start. It also counts the
 * messages, because counting rows would cost the database more than a worker does. Returns when the backlog
 * has been sent or `seconds` are over.
 */
export async function measureDrain(
  environment: BenchEnvironment,
  carrier: ChildProcess,
  plan: DrainPlan,
): Promise<Drained> {
  const { workspaces, count, env = {} } = plan;
  const redisUrl = 'REDIS_URL' in env ? (env['REDIS_URL'] ?? null) : environment.redisUrl;
  for (const workspace of workspaces) {
    const share = Math.round(count / workspaces.length);
    await queueBacklog({ ...environment, redisUrl, workspace, count: share });
  }
  const before = await readAccepted(carrier);
  await configureCarrier(carrier, 'answers/hold');
  const workers = await Promise.all(
    Array.from({ length: plan.workers }, () =>
      environment.startWorker(PUBLIC_URL, { WORKER_CONCURRENCY: '256', ...env }),
    ),
  );
  await configureCarrier(carrier, 'answers/send');
  const sample = async () => ({
    sent: (await readAccepted(carrier)) - before,
    at: performance.now(),
    worker: workers.reduce((sum, { pid }) => sum + readCpuSeconds(pid), 0),
    postgres: readCpuSeconds(environment.postgresPid),
  });
  const reach = async (share: number, seconds: number) => {
    const endsAt = performance.now() + seconds * 1_000;
    while (performance.now() < endsAt) {
      if ((await readAccepted(carrier)) - before >= count * share) break;
      await delay(POLL_MS);
    }
    return sample();
  };
  const begin = await reach(plan.from, Infinity);
  const readIdle = startIdleShare();
  const end = await reach(plan.to, plan.seconds);
  const idle = readIdle();
  if (end.sent >= count * plan.to) await reach(1, plan.seconds);
  await Promise.all(workers.map((worker) => worker.stop()));
  const sent = end.sent - begin.sent;
  const micros = (name: 'worker' | 'postgres') => ((end[name] - begin[name]) * 1_000_000) / sent;
  return {
    perSecond: (sent * 1_000) / (end.at - begin.at),
    cpuMicros: { worker: micros('worker'), PostgreSQL: micros('postgres') },
    idle,
  };
}

async function readAccepted(carrier: ChildProcess): Promise<number> {
  const answer = await request(`${carrier.url}/accepted`);
  return Number(await answer.body.text());
}
