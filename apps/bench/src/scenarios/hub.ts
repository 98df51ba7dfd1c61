import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@switchboard/testing/percentile';
import { readMemoryMb, startCpuMeter } from '../environment/machine.ts';
import type { Arrival } from '../programs/sockets.ts';
import type { Scenario } from '../scenario.ts';

/** The time for events to arrive after the last one was written. */
const ARRIVAL_MS = 2_000;
const SOCKETS = 10_000;

/** Measures the delivery of one event to every socket of an API. */
export const hub: Scenario = {
  name: 'hub',
  summary: 'delivery of an event to 10,000 WebSockets, and the memory of each socket',
  async run({ short, open, progress, report, latencies }) {
    const environment = await open({ workspaces: 1 });
    const { apiKey } = environment.workspace;
    const { url, pid } = await environment.startApi();
    // Loads and compiles code before memory is measured.
    await environment.sendMessage(url, apiKey, 'Message 0');
    await delay(ARRIVAL_MS);
    const before = readMemoryMb(pid);

    progress(`opening ${SOCKETS} sockets`);
    const sockets = environment.startProgram('sockets', { url, apiKeys: [apiKey], count: SOCKETS });
    await sockets.receive();
    await delay(ARRIVAL_MS);
    const memory = readMemoryMb(pid) - before;

    const lags: number[] = [];
    for (let event = 1; event <= (short ? 5 : 20); event += 1) {
      await environment.sendMessage(url, apiKey, `Message ${event}`);
      const respondedAt = performance.timeOrigin + performance.now();
      await delay(ARRIVAL_MS);
      sockets.send({});
      const arrivals = await sockets.receive<Arrival[]>();
      if (arrivals.length !== SOCKETS) {
        throw new Error(
          `${arrivals.length} of ${SOCKETS} sockets received event ${event} in time.`,
        );
      }
      lags.push(...arrivals.map(({ at }) => at - respondedAt));
    }
    report('sockets', 'count', SOCKETS);
    latencies('response → frame', lags);
    report('memory of a socket', 'kB', (memory * 1000) / SOCKETS);
  },
};

const WORKSPACES = 1_000;
const EVENTS_PER_SECOND = 2_000;

/** Measures many workspaces with one open socket each, and events that other processes write. */
export const workspaces: Scenario = {
  name: 'workspaces',
  summary: '1,000 workspaces, a WebSocket each, 2,000 events a second for 60 s (short: 10 s)',
  async run({ short, open, progress, report, latencies }) {
    const seconds = short ? 10 : 60;
    progress(`creating ${WORKSPACES} workspaces`);
    const environment = await open({ workspaces: WORKSPACES });
    const { databaseUrl, redisUrl } = environment;
    const { url, pid } = await environment.startApi();
    const apiKeys = environment.workspaces.map(({ apiKey }) => apiKey);
    const sockets = environment.startProgram('sockets', { url, apiKeys, count: WORKSPACES });
    await sockets.receive();

    progress(`writing ${EVENTS_PER_SECOND} events a second for ${seconds} s`);
    const readCpu = startCpuMeter({ API: pid });
    const workspaceIds = environment.workspaces.map(({ workspaceId }) => workspaceId);
    const writer = environment.startProgram('write-events', {
      databaseUrl,
      redisUrl,
      workspaceIds,
      perSecond: EVENTS_PER_SECOND,
      seconds,
    });
    const result = await writer.receive<{ written: number; tookSeconds: number }>();
    const { written, tookSeconds } = result;
    await delay(ARRIVAL_MS);
    sockets.send({});
    const ages = (await sockets.receive<Arrival[]>()).map(({ at, createdAt }) => at - createdAt);
    if (ages.length !== written) {
      throw new Error(`${ages.length} of ${written} events arrived in time.`);
    }
    const third = Math.floor(ages.length / 3);
    const growth = percentile(ages.slice(-third), 0.99) / percentile(ages.slice(0, third), 0.99);
    report('events, 1,000 workspaces', 'per second', written / tookSeconds);
    latencies('stored → frame', ages);
    report('p99 of the last third relative to the first', 'times', growth);
    for (const { micros } of readCpu(written)) report('CPU time per event, API', 'µs', micros);
  },
};
