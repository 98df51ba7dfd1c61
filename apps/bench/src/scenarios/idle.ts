import { setTimeout as delay } from 'node:timers/promises';
import { runLoad } from '../environment/run-load.ts';
import { generateMessages } from '../history/generate-messages.ts';
import { type CarrierMessage, openCarrier } from '../programs/open-carrier.ts';
import { openEventSocket } from '../programs/open-event-socket.ts';
import type { Scenario } from '../scenario.ts';

/** As in a process that has run for a while: V8 has compiled the hot functions. */
const WARM_UP_MESSAGES = 3_000;
const PAUSE_MS = 20;

/** Measures one request after another, with pauses, while the service has no other load. */
export const idle: Scenario = {
  name: 'idle',
  summary: 'latency of a single POST /api/messages while a worker sends the messages',
  async run({ short, open, progress, report }) {
    for (const [name, env] of [
      ['accept', {}],
      ['accept, without Redis', { REDIS_URL: undefined }],
    ] as const) {
      progress(name);
      const environment = await open({ workspaces: 1 });
      await environment.startSimulator();
      const { url } = await environment.startApi(env);
      await environment.startWorker(url, env);
      const load = { url, apiKeys: [environment.workspace.apiKey], warmUpSeconds: 0 };
      const warmUp = { connections: 4, seconds: 30, requests: WARM_UP_MESSAGES };
      await runLoad(environment, { ...load, ...warmUp });
      const unfinished = 'SELECT FROM messages WHERE due_at IS NOT NULL LIMIT 1';
      while ((await environment.query(unfinished)).length > 0) await delay(200);
      const plan = { connections: 1, pauseMs: PAUSE_MS, seconds: short ? 8 : 30 };
      const { latencyMs } = await runLoad(environment, { ...load, ...plan });
      report(`${name}, p50`, 'ms', latencyMs.p50);
      report(`${name}, p99`, 'ms', latencyMs.p99);
      await environment.close();
    }
  },
};

/** As in production: PostgreSQL plans statements on a small table each time. */
const HISTORY = 50_000;
const WARM_UP_CONCURRENCY = 16;

/** Measures how long a single message waits between one process and the next. */
export const hops: Scenario = {
  name: 'hops',
  summary: 'response → provider request, and callback → WebSocket frame, one message at a time',
  async run({ short, open, progress, latencies }) {
    const calls = createMailbox<CarrierMessage>();
    const frames = createMailbox<number>();
    // In this process, so that both ends of a hop use one clock.
    const carrier = await openCarrier((message) =>
      calls.put(new URL(message.callbackUrl).searchParams.get('message') ?? '', message),
    );
    carrier.configure({ callsBack: false });
    const environment = await open({ workspaces: 1, providerUrl: carrier.url });
    environment.onClose(() => carrier.close());
    const { apiKey, workspaceId } = environment.workspace;
    const history = { workspaceIds: [workspaceId], messages: HISTORY };
    await generateMessages(environment.databaseUrl, history, progress);
    const api = await environment.startApi();
    const other = await environment.startApi({ PUBLIC_URL: api.url });
    await environment.startWorker(api.url);
    const socket = await openEventSocket(api.url, apiKey, (frame) => {
      if (!frame.includes('"status":"delivered"')) return;
      const { message } = JSON.parse(frame) as { message: { id: string } };
      frames.put(message.id, performance.now());
    });
    environment.onClose(async () => socket.destroy());

    progress('warm-up messages');
    let number = 0;
    await Promise.all(
      Array.from({ length: WARM_UP_CONCURRENCY }, async () => {
        while (number < WARM_UP_MESSAGES) {
          number += 1;
          const { url } = number % 2 === 0 ? api : other;
          const id = await environment.sendMessage(url, apiKey, `Warming up ${number}`);
          await carrier.callBack(await calls.take(id), 'delivered', url);
        }
      }),
    );

    progress('one message after another');
    const toProvider: number[] = [];
    const toClient = { here: [] as number[], elsewhere: [] as number[] };
    const messages = short ? 300 : 1000;
    for (let index = 0; index < messages; index += 1) {
      // Every other callback goes to the API without the client's socket.
      const [called, lags] = index % 2 === 0 ? [api, toClient.here] : [other, toClient.elsewhere];
      const id = await environment.sendMessage(api.url, apiKey, `Message ${index}`);
      const respondedAt = performance.now();
      const call = await calls.take(id);
      // The provider call may start before the response reaches the client.
      toProvider.push(Math.max(0, call.at - respondedAt));
      // Until the worker has stored the provider's response.
      await delay(PAUSE_MS);
      const calledBackAt = performance.now();
      await carrier.callBack(call, 'delivered', called.url);
      lags.push((await frames.take(id)) - calledBackAt);
    }
    latencies('accepted → provider request', toProvider);
    latencies('callback → frame', toClient.here);
    latencies('callback at another API → frame', toClient.elsewhere);
  },
};

/** Values by key, each of which may be taken before or after it is put. */
function createMailbox<Value>() {
  const values = new Map<string, Value>();
  const takers = new Map<string, (value: Value) => void>();
  return {
    put(key: string, value: Value): void {
      values.set(key, value);
      takers.get(key)?.(value);
    },
    async take(key: string): Promise<Value> {
      return values.get(key) ?? new Promise((resolve) => takers.set(key, resolve));
    },
  };
}
