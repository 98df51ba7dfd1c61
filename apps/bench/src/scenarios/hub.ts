import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunOptions, type Scenario, latency } from '../scenario.ts';
import { sendMessage } from '../environment/api-client.ts';
import { readResidentMb } from '../environment/memory.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { percentile } from '@switchboard/testing/percentile';

const ARRIVAL_MS = 2_000;
const SOCKETS = 10_000;

/** Measures the delivery of one event to every socket of an API. */
export const hub: Scenario = {
  name: 'hub',
  summary: 'delivery of an event to 10,000 WebSockets, and the memory of each socket',

  async run(options: RunOptions) {
    const events = options.short ? 5 : 20;
    const environment = await openBenchEnvironment({ ...options, workspaces: 1 });
    try {
      const api = await environment.startApi();
      const [workspace] = environment.workspaces;
      if (workspace === undefined) throw new Error('there is no workspace');
      const { apiKey } = workspace;
      // Loads and compiles code before memory is measured.
      await sendMessage(api.url, apiKey, 'Message 0');
      await delay(ARRIVAL_MS);
      const before = readResidentMb(api.pid);

      options.onProgress(`opening ${SOCKETS} sockets`);
      const child = fork(join(import.meta.dirname, '../load/socket-process.js'), [
        api.url,
        apiKey,
        String(SOCKETS),
      ]);
      const exited = once(child, 'exit');
      environment.onClose(async () => {
        if (child.connected) child.disconnect();
        await exited;
      });
      await Promise.race([once(child, 'message'), rejectOnExit(exited)]);
      await delay(ARRIVAL_MS);
      const memory = readResidentMb(api.pid) - before;

      const lags: number[] = [];
      for (let event = 1; event <= events; event += 1) {
        await sendMessage(api.url, apiKey, `Message ${event}`);
        const answeredAt = performance.timeOrigin + performance.now();
        await delay(ARRIVAL_MS);
        child.send('report');
        const [arrivals] = (await once(child, 'message')) as [number[]];
        if (arrivals.length !== SOCKETS) {
          throw new Error(
            `${arrivals.length} of ${SOCKETS} sockets received event ${event} in time.`,
          );
        }
        lags.push(...arrivals.map((at) => at - answeredAt));
      }
      return [
        { name: 'sockets', value: SOCKETS, unit: 'count', goal: null },
        latency('answer → frame, p50', percentile(lags, 0.5)),
        latency('answer → frame, p99', percentile(lags, 0.99), 250),
        {
          name: 'memory of a socket',
          value: (memory * 1000) / SOCKETS,
          unit: 'kB',
          goal: { atMost: 30 },
        },
      ];
    } finally {
      await environment.close();
    }
  },
};

async function rejectOnExit(exited: Promise<unknown[]>): Promise<never> {
  const [code] = await exited;
  throw new Error(`The socket process exited with ${String(code)}.`);
}
