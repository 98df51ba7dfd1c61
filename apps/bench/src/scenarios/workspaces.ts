import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunOptions, Scenario } from '../scenario.ts';
import { readCpuSeconds } from '../stage/cpu-seconds.ts';
import { openStage } from '../stage/open-stage.ts';
import { median, percentile } from '../statistics.ts';

const EVENTS_PER_SECOND = 2_000;
/** What is still on its way when the last event has been written. */
const SETTLE_MS = 2_000;

/** Many workspaces with somebody watching each, and events that other processes write. */
export const workspaces: Scenario = {
  name: 'workspaces',
  summary: '1,000 workspaces, a WebSocket each, 2,000 events a second for 60 s (short: 10 s)',

  async run(options: RunOptions) {
    const [count, seconds] = options.short ? [1_000, 10] : [1_000, 60];
    options.onProgress(`making ${count} workspaces`);
    const stage = await openStage({ ...options, workspaces: count });
    try {
      const api = await stage.startApi();
      const start = (name: string, args: string[]): ChildProcess => {
        const child = fork(join(import.meta.dirname, `../load/${name}.js`), args);
        const exited = once(child, 'exit');
        stage.onClose(async () => {
          if (child.connected) child.disconnect();
          await exited;
        });
        return child;
      };
      const keys = stage.workspaces.map(({ apiKey }) => apiKey);
      const watcher = start('watch-workspaces-process', [api.url, JSON.stringify(keys)]);
      await hear(watcher);

      options.onProgress(`writing ${EVENTS_PER_SECOND} events a second for ${seconds} s`);
      const cpuBefore = readCpuSeconds(api.pid);
      const writer = start('write-events-process', [
        stage.databaseUrl,
        stage.redisUrl,
        JSON.stringify(stage.workspaces.map(({ workspaceId }) => workspaceId)),
        String(EVENTS_PER_SECOND),
        String(seconds),
      ]);
      const { written, tookSeconds } = await hear<{ written: number; tookSeconds: number }>(writer);
      await delay(SETTLE_MS);
      watcher.send('report');
      const ages = await hear<number[]>(watcher);
      if (ages.length !== written) {
        throw new Error(`${ages.length} of ${written} events came in time.`);
      }
      const third = Math.floor(ages.length / 3);
      return [
        {
          name: 'events, 1,000 workspaces',
          value: written / tookSeconds,
          unit: 'per second',
          // A writer that ends a moment late has kept its pace.
          goal: { atLeast: EVENTS_PER_SECOND * 0.99 },
        },
        { name: 'stored → frame, p50', value: median(ages), unit: 'ms', goal: null },
        { name: 'stored → frame, p99', value: percentile(ages, 0.99), unit: 'ms', goal: null },
        {
          name: 'p99 of the last third against the first',
          value: percentile(ages.slice(-third), 0.99) / percentile(ages.slice(0, third), 0.99),
          unit: 'times',
          goal: { atMost: 1.5 },
        },
        {
          name: 'processor time of an event, API',
          value: ((readCpuSeconds(api.pid) - cpuBefore) * 1e6) / written,
          unit: 'µs',
          goal: null,
        },
      ];
    } finally {
      await stage.close();
    }
  },
};

async function hear<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`A process of the load ended with ${String(code)}.`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return message;
}
