import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceFixture } from '@switchboard/testing';
import { queueBacklog } from '../environment/backlog.ts';
import { readCpuSeconds, startIdleShare } from '../environment/machine.ts';
import {
  type BenchEnvironment,
  type CarrierProcess,
  UNSERVED_URL,
} from '../environment/open-environment.ts';
import { setSlowCommits } from '../environment/slow-commits.ts';
import type { Scenario } from '../scenario.ts';
import { compareCounts } from '../compare-counts.ts';

const POLL_MS = 50;
const BACKENDS = [
  { name: 'Redis', env: {} },
  { name: 'PostgreSQL', env: { REDIS_URL: undefined } },
];

/** Measures how fast one worker sends a large backlog of one workspace, with each backend of the queue. */
export const drain: Scenario = {
  name: 'drain',
  summary:
    '200,000 messages of one workspace, sent by one worker, with the queue in Redis and in PostgreSQL',
  async run({ short, open, progress, report }) {
    const [count, seconds] = [200_000, short ? 25 : 240];
    for (const { name, env } of BACKENDS) {
      const environment = await open({ workspaces: 1 });
      const what = `${count} of one workspace, queue in ${name}`;
      progress(what);
      const carrier = await environment.startCarrier({ callsBack: false });
      // The measured part begins when the worker has loaded its code.
      const plan = { count, seconds, workers: 1, env, from: 0.05, to: 0.99 };
      const measured = await measureDrain(environment, carrier, plan);
      await environment.writeStatistics(`drain-${name}`);
      report(what, 'per second', measured.perSecond);
      report(`${what}: CPU time per message, worker`, 'µs', measured.workerMicros);
      report(`${what}: CPU time per message, PostgreSQL`, 'µs', measured.postgresMicros);
      await environment.close();
    }
  },
};

const COMPARISONS = [
  {
    name: 'provider takes 200 ms',
    latencyMs: 200,
    isSlow: false,
    count: 12_000,
    counts: [1, 2],
  },
  // Four workers use both CPUs for several seconds until their code is compiled.
  { name: '5 ms', latencyMs: 0, isSlow: true, count: 48_000, counts: [1, 2, 4] },
];

/** Measures whether more workers send a backlog faster. */
export const workers: Scenario = {
  name: 'workers',
  summary:
    'a backlog of 16 workspaces, sent by 1 and 2 workers with a provider that takes 200 ms, and by 1, 2 and 4 with commits of 5 ms',
  async run(run) {
    // Odd, so that the median is one of the rounds.
    const rounds = run.short ? 3 : 5;
    for (const { name, latencyMs, isSlow, count, counts } of COMPARISONS) {
      const environment = await run.open({ workspaces: 16 });
      const carrier = await environment.startCarrier({ callsBack: false, latencyMs });
      await setSlowCommits(environment, isSlow);
      await compareCounts(run, { name, noun: 'worker', counts, rounds }, (number) =>
        measureDrain(environment, carrier, {
          count,
          workers: number,
          env: {},
          from: 0.4,
          to: 0.95,
          seconds: 120,
        }),
      );
      await environment.close();
    }
  },
};

interface DrainPlan {
  /** The number of messages in the backlog. */
  count: number;
  workers: number;
  /** Settings of the workers, in addition to their concurrency. Undefined removes a setting. */
  env: Record<string, string | undefined>;
  /**
   * Only the part of the backlog between these shares is measured, without the start and the last calls,
   * and at most this many seconds of it.
   */
  from: number;
  to: number;
  seconds: number;
}

/**
 * Queues a backlog, starts workers, and measures how fast they send it. The carrier responds when all workers
 * are ready, so that the first of them cannot send the backlog while the others start. It also counts the
 * messages, because counting rows would cost the database more than a worker does. Returns when the backlog
 * has been sent or `seconds` are over.
 */
async function measureDrain(
  environment: BenchEnvironment,
  carrier: CarrierProcess,
  { count, env, from, to, seconds, ...plan }: DrainPlan,
) {
  const { workspaces, databaseUrl } = environment;
  const redisUrl = 'REDIS_URL' in env ? null : environment.redisUrl;
  const share = Math.round(count / workspaces.length);
  const queue = (workspace: WorkspaceFixture) =>
    queueBacklog({ databaseUrl, redisUrl, workspace, count: share });
  for (const workspace of workspaces) await queue(workspace);
  const before = await carrier.configure({ holds: true });
  const running = await Promise.all(
    Array.from({ length: plan.workers }, () =>
      environment.startWorker(UNSERVED_URL, { WORKER_CONCURRENCY: '256', ...env }),
    ),
  );
  const readSent = async () => (await carrier.configure({})) - before;
  await carrier.configure({ holds: false });
  /** Waits until this share has been sent or the time is over. */
  async function reach(wanted: number, limitSeconds: number) {
    const endsAt = performance.now() + limitSeconds * 1_000;
    while (performance.now() < endsAt && (await readSent()) < count * wanted) await delay(POLL_MS);
    return {
      sent: await readSent(),
      at: performance.now(),
      worker: running.reduce((sum, { pid }) => sum + readCpuSeconds(pid), 0),
      postgres: readCpuSeconds(environment.postgresPid),
    };
  }
  const begin = await reach(from, Infinity);
  const readIdle = startIdleShare();
  const end = await reach(to, seconds);
  const idle = readIdle();
  if (end.sent >= count * to) await reach(1, seconds);
  await Promise.all(running.map((worker) => worker.stop()));
  const sent = end.sent - begin.sent;
  return {
    perSecond: (sent * 1_000) / (end.at - begin.at),
    workerMicros: ((end.worker - begin.worker) * 1_000_000) / sent,
    postgresMicros: ((end.postgres - begin.postgres) * 1_000_000) / sent,
    'CPU idle': idle,
  };
}
