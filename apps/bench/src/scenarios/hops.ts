import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type Scenario, latency } from '../scenario.ts';
import { generateMessages } from '../history/generate-messages.ts';
import { sendMessage } from '../environment/api-client.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { type Carrier, startCarrier } from '../environment/start-carrier.ts';
import { watchFrames } from '../environment/watch-frames.ts';
import { percentile } from '@switchboard/testing/percentile';
import { median } from '../statistics.ts';

/** As in production: PostgreSQL plans statements on a small table each time. */
const HISTORY = 50_000;
/** As in a process that has run for a while: V8 has compiled the hot functions. */
const WARM_UP_MESSAGES = 3_000;
const WARM_UP_CONCURRENCY = 16;
const BETWEEN_MESSAGES_MS = 20;

/** Measures how long a single message waits between one process and the next. */
export const hops: Scenario = {
  name: 'hops',
  summary: 'response → provider request, and callback → WebSocket frame, one message at a time',

  async run(options) {
    const carrier = await startCarrier();
    const environment = await openBenchEnvironment({
      ...options,
      workspaces: 1,
      twilioApiUrl: carrier.url,
    });
    environment.onClose(() => carrier.close());
    try {
      const workspaceIds = environment.workspaces.map(({ workspaceId }) => workspaceId);
      await generateMessages({ ...options, ...environment, workspaceIds, messages: HISTORY });
      const api = await environment.startApi();
      const other = await environment.startApi({ PUBLIC_URL: api.url });
      await environment.startWorker(api.url);
      const [workspace] = environment.workspaces;
      if (workspace === undefined) throw new Error('there is no workspace');
      let deliveryOf: { messageId: string; onSeen(): void } | null = null;
      const watcher = await watchFrames({
        apiUrl: api.url,
        apiKey: workspace.apiKey,
        onFrame(frame) {
          if (deliveryOf === null || !frame.includes('"status":"delivered"')) return;
          if (frame.includes(deliveryOf.messageId)) deliveryOf.onSeen();
        },
      });
      environment.onClose(async () => watcher.close());

      options.onProgress('warm-up messages');
      await warmUp(carrier, [api.url, other.url], workspace);

      options.onProgress('one message after another');
      const toProvider: number[] = [];
      const toClient = { here: [] as number[], elsewhere: [] as number[] };
      const messages = options.short ? 300 : 1000;
      for (let number = 0; number < messages; number += 1) {
        // Every other callback goes to the API without the client's socket.
        const [called, lags] =
          number % 2 === 0 ? [api, toClient.here] : [other, toClient.elsewhere];
        const messageId = await sendMessage(api.url, workspace.apiKey, `Message ${number}`);
        const answeredAt = performance.now();
        const call = await carrier.callFor(messageId);
        // The provider call may start before the response reaches the client.
        const providerMs = Math.max(0, call.at - answeredAt);
        // Until the worker has stored the provider's response.
        await delay(BETWEEN_MESSAGES_MS);
        const delivered = new Promise<number>((resolve) => {
          deliveryOf = { messageId, onSeen: () => resolve(performance.now()) };
        });
        const calledBackAt = performance.now();
        await carrier.callBack(call, 'delivered', workspace, called.url);
        lags.push((await delivered) - calledBackAt);
        toProvider.push(providerMs);
      }
      return [
        latency('accepted → provider request, p50', median(toProvider), 5),
        latency('accepted → provider request, p99', percentile(toProvider, 0.99)),
        latency('callback → frame, p50', median(toClient.here), 5),
        latency('callback → frame, p99', percentile(toClient.here, 0.99)),
        latency('callback at another API → frame, p50', median(toClient.elsewhere), 5),
        latency('callback at another API → frame, p99', percentile(toClient.elsewhere, 0.99)),
      ];
    } finally {
      await environment.close();
    }
  },
};

/** Sends messages up to their delivery, several at a time, through each API in turn. */
async function warmUp(
  carrier: Carrier,
  apiUrls: readonly [string, string],
  workspace: WorkspaceFixture,
): Promise<void> {
  async function sendAndDeliver(number: number): Promise<void> {
    const apiUrl = apiUrls[number % 2 === 0 ? 0 : 1];
    const messageId = await sendMessage(apiUrl, workspace.apiKey, `Warming up ${number}`);
    await carrier.callBack(await carrier.callFor(messageId), 'delivered', workspace, apiUrl);
  }
  let number = 0;
  const loops = Array.from({ length: WARM_UP_CONCURRENCY }, async () => {
    while (number < WARM_UP_MESSAGES) {
      number += 1;
      await sendAndDeliver(number);
    }
  });
  await Promise.all(loops);
}
