import { Redis } from 'ioredis';
import pg from 'pg';
import { runLoad } from '../load/run-load.ts';
import { findPgbench, runPgbench } from '../reference/pgbench.ts';
import { type Figure, type RunOptions, type Scenario, latency } from '../scenario.ts';
import { readCpuSeconds } from '../environment/cpu-seconds.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { median } from '../statistics.ts';

const CONNECTIONS = 64;
/** In a process that has just started, V8 compiles hot functions for a few seconds. */
const WARM_UP_SECONDS = 5;

const PROCESSES = ['api', 'postgres', 'redis'] as const;

/** Measures how fast messages are accepted, with rows, events and hints. No worker runs. */
export const accept: Scenario = {
  name: 'accept',
  summary:
    'POST /api/messages with 64 connections, compared with pgbench and the straightforward API',

  async run(options: RunOptions): Promise<Figure[]> {
    const [rounds, seconds] = options.short ? [3, 4] : [5, 10];
    const environment = await openBenchEnvironment({ ...options, workspaces: 16 });
    try {
      const { databaseUrl, redisUrl, workspaces } = environment;
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      // Above every number that the service assigns in this run.
      await client.query('CREATE SEQUENCE bench_seq START 1000000000 CACHE 1000');
      await client.end();

      const ours = await environment.startApi();
      const plain = await environment.startReference('straightforward-api', {
        WORKSPACE_ID: workspaces[0]?.workspaceId ?? '',
      });
      const program = await findPgbench();
      const load = {
        apiKeys: workspaces.map((workspace) => workspace.apiKey),
        connections: CONNECTIONS,
        seconds,
        warmUpSeconds: 1,
      };
      const workspaceIds = workspaces.map((workspace) => workspace.workspaceId);
      const pgbench = { databaseUrl, workspaceIds, seconds };

      options.onProgress('warming up');
      const warmUp = (url: string) =>
        runLoad({ ...load, url, seconds: 1, warmUpSeconds: WARM_UP_SECONDS });
      for (const { url } of [ours, plain]) await warmUp(url);

      const rates = {
        ours: [] as number[],
        plain: [] as number[],
        pgbench: [] as number[],
        bare: [] as number[],
      };
      const busy: number[] = [];
      const p99: number[] = [];
      const pids = {
        api: ours.pid,
        postgres: environment.postgresPid,
        redis: await findRedisPid(redisUrl),
      };
      const cpuMicros = { api: [] as number[], postgres: [] as number[], redis: [] as number[] };
      for (let round = 1; round <= rounds; round += 1) {
        options.onProgress(`round ${round} of ${rounds}`);
        const before = new Map(PROCESSES.map((name) => [name, readCpuSeconds(pids[name])]));
        const result = await runLoad({ ...load, url: ours.url });
        for (const name of PROCESSES) {
          const used = readCpuSeconds(pids[name]) - (before.get(name) ?? 0);
          cpuMicros[name].push((used * 1_000_000) / result.acceptedInTotal);
        }
        rates.ours.push(result.acceptedPerSecond);
        busy.push(result.busy);
        p99.push(result.latencyMs.p99);
        rates.plain.push((await runLoad({ ...load, url: plain.url })).acceptedPerSecond);
        if (program !== null) {
          rates.pgbench.push(await runPgbench({ ...pgbench, program, keepsCounts: true }));
          rates.bare.push(await runPgbench({ ...pgbench, program, keepsCounts: false }));
        }
      }
      options.onProgress('two APIs (no goal)');
      const second = await environment.startApi();
      await warmUp(second.url);
      const halves = await Promise.all(
        [ours, second].map(({ url }) => runLoad({ ...load, url, connections: CONNECTIONS / 2 })),
      );
      // Compares rates of the same round, so that other load on the machine affects both.
      const ratios = (reference: number[]) =>
        median(reference.map((rate, round) => (rates.ours[round] ?? 0) / rate));
      return [
        {
          name: 'accepted',
          value: median(rates.ours),
          unit: 'per second',
          goal: { atLeast: 10_000 },
        },
        ...PROCESSES.map((name): Figure => ({
          name: `CPU time per message, ${name}`,
          value: median(cpuMicros[name]),
          unit: 'µs',
          goal: null,
        })),
        {
          name: 'accepted by two processes, 32 connections each',
          value: halves.reduce((sum, { acceptedPerSecond }) => sum + acceptedPerSecond, 0),
          unit: 'per second',
          goal: null,
        },
        latency('latency p99 under this load', median(p99)),
        {
          name: 'straightforward API',
          value: median(rates.plain),
          unit: 'per second',
          goal: null,
        },
        {
          name: 'accepted / straightforward',
          value: ratios(rates.plain),
          unit: 'times',
          goal: { atLeast: 3 },
        },
        ...(program === null
          ? []
          : ([
              {
                name: 'pgbench, same rows one at a time, with triggers',
                value: median(rates.pgbench),
                unit: 'per second',
                goal: null,
              },
              {
                name: 'accepted / pgbench, with triggers',
                value: ratios(rates.pgbench),
                unit: 'times',
                goal: { atLeast: 1 },
              },
              {
                name: 'pgbench, same rows one at a time, without triggers',
                value: median(rates.bare),
                unit: 'per second',
                goal: null,
              },
              {
                name: 'accepted / pgbench, without triggers',
                value: ratios(rates.bare),
                unit: 'times',
                goal: null,
              },
            ] satisfies Figure[])),
        { name: 'generator busy', value: median(busy), unit: 'times', goal: { atMost: 0.8 } },
      ];
    } finally {
      await environment.close();
    }
  },
};

async function findRedisPid(redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl);
  try {
    return Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]);
  } finally {
    redis.disconnect();
  }
}
