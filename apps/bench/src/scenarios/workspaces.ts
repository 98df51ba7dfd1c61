import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunOptions, type Scenario, latency } from '../scenario.ts';
import { readCpuSeconds } from '../environment/cpu-seconds.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { percentile } from '@switchboard/testing/percentile';
import { median } from '../statistics.ts';

const EVENTS_PER_SECOND = 2_000;
/** The time for events to arrive after the last one was written. */
const ARRIVAL_MS = 2_000;

/** Measures many workspaces with one open socket each, and events that other processes write. */
export const workspaces: Scenario = {
  name: 'workspaces',
  summary: '1,000 workspaces, a WebSocket each, 2,000 events a second for 60 s (short: 10 s)',

  async run(options: RunOptions) {
    const [count, seconds] = options.short ? [1_000, 10] : [1_000, 60];
    options.onProgress(`creating ${count} workspaces`);
    const environment = await openBenchEnvironment({ ...options, workspaces: count });
    try {
      const api = await environment.startApi();
      const start = (name: string, args: string[]): ChildProcess => {
        const child = fork(join(import.meta.dirname, `../load/${name}.js`), args);
        const exited = once(child, 'exit');
        environment.onClose(async () => {
          if (child.connected) child.disconnect();
          await exited;
        });
        return child;
      };
      const keys = environment.workspaces.map(({ apiKey }) => apiKey);
      const watcher = start('watch-workspaces-process', [api.url, JSON.stringify(keys)]);
      await receive(watcher);

      options.onProgress(`writing ${EVENTS_PER_SECOND} events a second for ${seconds} s`);
      const cpuBefore = readCpuSeconds(api.pid);
      const writer = start('write-events-process', [
        environment.databaseUrl,
        environment.redisUrl,
        JSON.stringify(environment.workspaces.map(({ workspaceId }) => workspaceId)),
        String(EVENTS_PER_SECOND),
        String(seconds),
      ]);
      const { written, tookSeconds } = await receive<{ written: number; tookSeconds: number }>(
        writer,
      );
      await delay(ARRIVAL_MS);
      watcher.send('report');
      const ages = await receive<number[]>(watcher);
      if (ages.length !== written) {
        throw new Error(`${ages.length} of ${written} events arrived in time.`);
      }
      const third = Math.floor(ages.length / 3);
      return [
        {
          name: 'events, 1,000 workspaces',
          value: written / tookSeconds,
          unit: 'per second',
          // The writer may end slightly late.
          goal: { atLeast: EVENTS_PER_SECOND * 0.99 },
        },
        latency('stored → frame, p50', median(ages)),
        latency('stored → frame, p99', percentile(ages, 0.99)),
        {
          name: 'p99 of the last third relative to the first',
          value: percentile(ages.slice(-third), 0.99) / percentile(ages.slice(0, third), 0.99),
          unit: 'times',
          goal: { atMost: 1.5 },
        },
        {
          name: 'CPU time per event, API',
          value: ((readCpuSeconds(api.pid) - cpuBefore) * 1e6) / written,
          unit: 'µs',
          goal: null,
        },
      ];
    } finally {
      await environment.close();
    }
  },
};

async function receive<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`A load process exited with ${String(code)}.`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return message;
}
