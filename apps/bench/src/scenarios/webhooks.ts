import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '@switchboard/testing/percentile';
import { request } from 'undici';
import { sendMessage } from '../environment/api-client.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { startWebhookReceiver } from '../environment/start-webhook-receiver.ts';
import { type Figure, type Scenario, latency } from '../scenario.ts';
import { median } from '../statistics.ts';

const ENDPOINTS_PER_WORKSPACE = 50;
const SENDERS = 16;
const POLL_MS = 5;
const LIMIT_MS = 120_000;
const SCHEDULED_MS = 3_600_000;

/** Measures deliveries to workspace webhooks: the delay of one, many at once, and beside a hung endpoint. */
export const webhooks: Scenario = {
  name: 'webhooks',
  summary: 'event → webhook, a backlog of one endpoint, and 1,000 endpoints with one that hangs',

  async run(options) {
    const receiver = await startWebhookReceiver();
    const workspaceCount = 1 + (options.short ? 4 : 20);
    const environment = await openBenchEnvironment({ ...options, workspaces: workspaceCount });
    environment.onClose(() => receiver.close());
    try {
      const [first, ...others] = environment.workspaces;
      if (first === undefined) throw new Error('there is no workspace');
      const env = { WEBHOOK_ALLOW_LOOPBACK: 'true' };
      const api = await environment.startApi(env);
      await environment.startWorker(api.url, env);

      async function call(method: 'POST' | 'PATCH', apiKey: string, path: string, body: object) {
        const answer = await request(`${api.url}/api/webhook-endpoints${path}`, {
          method,
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await answer.body.text();
        if (answer.statusCode >= 300) throw new Error(`The API answered ${text}`);
        return JSON.parse(text) as { id: string };
      }
      const addEndpoint = (apiKey: string, path: string) =>
        call('POST', apiKey, '', { url: receiver.url + path, event_types: ['message.created'] });
      /** Scheduled messages have one event, and no other work. */
      const send = (apiKey: string) =>
        sendMessage(api.url, apiKey, 'Hello', new Date(Date.now() + SCHEDULED_MS));
      async function receive(count: number): Promise<void> {
        const deadline = performance.now() + LIMIT_MS;
        while (receiver.received.length < count) {
          if (performance.now() > deadline) {
            throw new Error(`${receiver.received.length} of ${count} deliveries arrived`);
          }
          await pause(POLL_MS);
        }
      }

      options.onProgress('one event after another');
      const endpoint = await addEndpoint(first.apiKey, '/first');
      const singles = options.short ? 200 : 1_000;
      const warmUp = singles / 2;
      for (let number = 1; number <= warmUp + singles; number += 1) {
        await send(first.apiKey);
        await receive(number);
      }
      const delays = receiver.received.slice(warmUp).map(({ at, eventAt }) => at - eventAt);

      options.onProgress('a backlog');
      const path = `/${endpoint.id}`;
      await call('PATCH', first.apiKey, path, { enabled: false });
      const backlog = options.short ? 5_000 : 20_000;
      let left = backlog;
      await Promise.all(
        Array.from({ length: SENDERS }, async () => {
          while (left > 0) {
            left -= 1;
            await send(first.apiKey);
          }
        }),
      );
      receiver.received.length = 0;
      await call('PATCH', first.apiKey, path, { enabled: true });
      await receive(backlog);
      const arrivals = receiver.received.map(({ at }) => at);
      const seconds = (Math.max(...arrivals) - Math.min(...arrivals)) / 1_000;

      options.onProgress('many endpoints');
      const paths: string[] = [];
      for (const [index, { apiKey }] of others.entries()) {
        for (let number = 0; number < ENDPOINTS_PER_WORKSPACE; number += 1) {
          paths.push(`/${index}/${number}`);
          await addEndpoint(apiKey, `/${index}/${number}`);
        }
      }
      const keys = others.map(({ apiKey }) => apiKey);
      const round = async (expected: number) => {
        receiver.received.length = 0;
        for (const apiKey of keys) await send(apiKey);
        await receive(expected);
        return receiver.received.map(({ at, eventAt }) => at - eventAt);
      };
      const rounds = options.short ? 3 : 10;
      const measure = async (expected: number) => {
        const all: number[] = [];
        for (let number = 0; number < rounds; number += 1) all.push(...(await round(expected)));
        return all;
      };
      await measure(paths.length);
      const usual = await measure(paths.length);
      receiver.hangingPath = paths[0] ?? null;
      const beside = await measure(paths.length - 1);
      const usualP99 = percentile(usual, 0.99);
      const besideP99 = percentile(beside, 0.99);

      const figures: Figure[] = [
        latency('event → webhook, p50', median(delays), 20),
        latency('event → webhook, p99', percentile(delays, 0.99)),
        {
          name: 'backlog of one endpoint, one worker',
          value: backlog / seconds,
          unit: 'per second',
          goal: { atLeast: 2_000 },
        },
        latency(`${paths.length} endpoints, p99`, usualP99),
        latency(`${paths.length} endpoints, one hangs, p99 of the others`, besideP99),
        latency('p99 that the hung endpoint adds', besideP99 - usualP99, 1_000),
      ];
      return figures;
    } finally {
      await environment.close();
    }
  },
};
