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
      await stage.startWorker(api.url);
      const [workspace] = stage.workspaces;
      if (workspace === undefined) throw new Error('there is no workspace');
      let onDelivered: (() => void) | null = null;
      const watcher = await watchFrames({
        apiUrl: api.url,
        apiKey: workspace.apiKey,
        onFrame(frame) {
          if (frame.includes('"status":"delivered"')) onDelivered?.();
        },
      });
      stage.onClose(async () => watcher.close());

      options.onProgress('messages that are not counted');
      await warmUp(carrier, api.url, workspace);

      options.onProgress('one message after another');
      const toProvider: number[] = [];
      const toClient: number[] = [];
      const messages = options.short ? 150 : 1000;
      for (let number = 0; number < messages; number += 1) {
        const messageId = await sendMessage(api.url, workspace.apiKey, `Message ${number}`);
        const answeredAt = performance.now();
        const call = await carrier.callFor(messageId);
        // The answer's way back and the worker's way out go on side by side.
        const providerMs = Math.max(0, call.at - answeredAt);
        // Until the worker has written what the provider said.
        await delay(BETWEEN_MESSAGES_MS);
        const delivered = new Promise<number>((resolve) => {
          onDelivered = () => resolve(performance.now());
        });
        const calledBackAt = performance.now();
        await carrier.callBack(call, 'delivered', workspace);
        const clientMs = (await delivered) - calledBackAt;
        toProvider.push(providerMs);
        toClient.push(clientMs);
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
        figure('callback → frame, p50', median(toClient), 5),
        figure('callback → frame, p99', percentile(toClient, 0.99), null),
      ];
    } finally {
      await stage.close();
    }
  },
};

/** Whole lives of messages, some side by side. */
async function warmUp(
  carrier: Carrier,
  apiUrl: string,
  workspace: WorkspaceFixture,
): Promise<void> {
  async function live(number: number): Promise<void> {
    const messageId = await sendMessage(apiUrl, workspace.apiKey, `Warming up ${number}`);
    await carrier.callBack(await carrier.callFor(messageId), 'delivered', workspace);
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
