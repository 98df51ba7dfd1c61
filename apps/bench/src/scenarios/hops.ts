import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';
import { generateMessages } from '../history/generate-messages.ts';
import { sendMessage } from '../stage/api-client.ts';
import { openStage } from '../stage/open-stage.ts';
import { startCarrier } from '../stage/start-carrier.ts';
import { watchFrames } from '../stage/watch-frames.ts';
import { median, percentile } from '../statistics.ts';

/** As of a service in use: statements on a small table are planned each time. */
const HISTORY = 50_000;
const WARM_UP_MESSAGES = 100;
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

      const toProvider: number[] = [];
      const toClient: number[] = [];
      const messages = WARM_UP_MESSAGES + (options.short ? 150 : 1000);
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
        if (number < WARM_UP_MESSAGES) continue;
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
