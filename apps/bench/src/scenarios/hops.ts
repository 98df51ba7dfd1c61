import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceFixture } from '@switchboard/testing';
import type { Scenario } from '../scenario.ts';
import { generateMessages } from '../history/generate-messages.ts';
import { sendMessage } from '../stage/api-client.ts';
import { openStage } from '../stage/open-stage.ts';
import { type Carrier, startCarrier } from '../stage/start-carrier.ts';
import { watchFrames } from '../stage/watch-frames.ts';
import { median, percentile } from '../statistics.ts';

/** As of a service in use: statements on a small table are planned each time. */
const HISTORY = 50_000;
/** As of a service that has run for a while: what runs often is compiled. */
const WARM_UP_MESSAGES = 3_000;
const WARM_UP_LANES = 16;
const BETWEEN_MESSAGES_MS = 20;

/** How long a message lies between one process and the next, while there is only the one. */
export const hops: Scenario = {
  name: 'hops',
  summary: 'answer → provider request, and callback → WebSocket frame, one message at a time',

  async run(options) {
    const carrier = await startCarrier();
    const stage = await openStage({ ...options, workspaces: 1, twilioApiUrl: carrier.url });
    stage.onClose(() => carrier.close());
    try {
      const workspaceIds = stage.workspaces.map(({ workspaceId }) => workspaceId);
      await generateMessages({ ...options, ...stage, workspaceIds, messages: HISTORY });
      const api = await stage.startApi();
      const other = await stage.startApi({ PUBLIC_URL: api.url });
      await stage.startWorker(api.url);
      const [workspace] = stage.workspaces;
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
      stage.onClose(async () => watcher.close());

      options.onProgress('messages that are not counted');
      await warmUp(carrier, [api.url, other.url], workspace);

      options.onProgress('one message after another');
      const toProvider: number[] = [];
      const toClient = { here: [] as number[], elsewhere: [] as number[] };
      const messages = options.short ? 300 : 1000;
      for (let number = 0; number < messages; number += 1) {
        // Every other callback comes to the process that has not the client's socket.
        const [called, lags] =
          number % 2 === 0 ? [api, toClient.here] : [other, toClient.elsewhere];
        const messageId = await sendMessage(api.url, workspace.apiKey, `Message ${number}`);
        const answeredAt = performance.now();
        const call = await carrier.callFor(messageId);
        // The answer's way back and the worker's way out go on side by side.
        const providerMs = Math.max(0, call.at - answeredAt);
        // Until the worker has written what the provider said.
        await delay(BETWEEN_MESSAGES_MS);
        const delivered = new Promise<number>((resolve) => {
          deliveryOf = { messageId, onSeen: () => resolve(performance.now()) };
        });
        const calledBackAt = performance.now();
        await carrier.callBack(call, 'delivered', workspace, called.url);
        lags.push((await delivered) - calledBackAt);
        toProvider.push(providerMs);
      }
      const figure = (name: string, value: number, goal: number | null) => ({
        name,
        value,
        unit: 'ms' as const,
        goal: goal === null ? null : { atMost: goal },
      });
      return [
        figure('accepted → provider request, p50', median(toProvider), 5),
        figure('accepted → provider request, p99', percentile(toProvider, 0.99), null),
        figure('callback → frame, p50', median(toClient.here), 5),
        figure('callback → frame, p99', percentile(toClient.here, 0.99), null),
        figure('callback at another API → frame, p50', median(toClient.elsewhere), 5),
        figure('callback at another API → frame, p99', percentile(toClient.elsewhere, 0.99), null),
      ];
    } finally {
      await stage.close();
    }
  },
};

/** Whole lives of messages, some side by side, by turns through each of the APIs. */
async function warmUp(
  carrier: Carrier,
  apiUrls: readonly [string, string],
  workspace: WorkspaceFixture,
): Promise<void> {
  async function live(number: number): Promise<void> {
    const apiUrl = apiUrls[number % 2 === 0 ? 0 : 1];
    const messageId = await sendMessage(apiUrl, workspace.apiKey, `Warming up ${number}`);
    await carrier.callBack(await carrier.callFor(messageId), 'delivered', workspace, apiUrl);
  }
  let number = 0;
  const lanes = Array.from({ length: WARM_UP_LANES }, async () => {
    while (number < WARM_UP_MESSAGES) {
      number += 1;
      await live(number);
    }
  });
  await Promise.all(lanes);
}
