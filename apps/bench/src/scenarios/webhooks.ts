import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@switchboard/testing/percentile';
import { request } from 'undici';
import { sendMessage } from '../environment/api-client.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { startWebhookReceiver } from '../environment/start-webhook-receiver.ts';
import { type Figure, type RunOptions, type Scenario, latency } from '../scenario.ts';
import { median } from '../statistics.ts';
import { compareAccepting } from '../webhooks/compare-accepting.ts';

const ENDPOINTS_PER_WORKSPACE = 50;
const SENDERS = 16;
const POLL_MS = 5;
const LIMIT_MS = 120_000;
const SCHEDULED_MS = 3_600_000;

/**
 * Measures deliveries to workspace webhooks: the delay of a single one, of many at the same time
 * and of those next to a hung endpoint, and the cost of endpoints when messages are accepted.
 */
export const webhooks: Scenario = {
  name: 'webhooks',
  summary:
    'event → webhook: the delay of one, backlogs of one and of ten endpoints, one hung endpoint among 1,000, and accepting messages with ten',

  async run(options) {
    const figures = await measureDeliveries(options);
    const accepting = await compareAccepting(options);
    return [
      ...figures,
      {
        name: 'accepting with ten endpoints / with none',
        value: accepting,
        unit: 'times',
        goal: { atLeast: 0.97 },
      },
    ];
  },
};

async function measureDeliveries(options: RunOptions): Promise<Figure[]> {
  const receiver = await startWebhookReceiver();
  const workspaceCount = 1 + (options.short ? 4 : 20);
  const environment = await openBenchEnvironment({ ...options, workspaces: workspaceCount });
  environment.onClose(() => receiver.close());
  try {
    const [firstKey = '', ...keys] = environment.workspaces.map(({ apiKey }) => apiKey);
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
      if (answer.statusCode >= 300) throw new Error(`The API responded with ${text}`);
      return JSON.parse(text) as { id: string };
    }
    const addEndpoint = (apiKey: string, path: string) =>
      call('POST', apiKey, '', { url: receiver.url + path, event_types: ['message.created'] });
    /** Scheduled messages cause one event and no other work. */
    const send = (apiKey: string) =>
      sendMessage(api.url, apiKey, 'Hello', new Date(Date.now() + SCHEDULED_MS));
    async function receive(count: number): Promise<void> {
      const deadline = performance.now() + LIMIT_MS;
      while (receiver.received.length < count) {
        if (performance.now() > deadline) {
          throw new Error(`${receiver.received.length} of ${count} deliveries arrived`);
        }
        await delay(POLL_MS);
      }
    }

    options.onProgress('one event after another');
    const endpoint = await addEndpoint(firstKey, '/first');
    const singles = options.short ? 200 : 1_000;
    const warmUp = singles / 2;
    for (let number = 1; number <= warmUp + singles; number += 1) {
      await send(firstKey);
      await receive(number);
    }
    const delays = receiver.received.slice(warmUp).map(({ at, eventAt }) => at - eventAt);

    /** Sends messages while the endpoints are disabled. Returns the deliveries per second after that. */
    async function deliverBacklog(endpoints: readonly { id: string }[], messages: number) {
      const enable = async (enabled: boolean) => {
        for (const { id } of endpoints) await call('PATCH', firstKey, `/${id}`, { enabled });
      };
      await enable(false);
      let left = messages;
      await Promise.all(
        Array.from({ length: SENDERS }, async () => {
          while (left > 0) {
            left -= 1;
            await send(firstKey);
          }
        }),
      );
      receiver.received.length = 0;
      await enable(true);
      const deliveries = messages * endpoints.length;
      await receive(deliveries);
      const [begin, ...more] = receiver.received.map(({ at }) => at).toSorted((a, b) => a - b);
      return (deliveries * 1_000) / ((more.at(-1) ?? 0) - (begin ?? 0));
    }

    options.onProgress('a backlog');
    const backlog = options.short ? 5_000 : 20_000;
    const ofOne = await deliverBacklog([endpoint], backlog);
    const ten = [endpoint];
    while (ten.length < 10) ten.push(await addEndpoint(firstKey, `/${ten.length}`));
    const ofTen = await deliverBacklog(ten, backlog / 10);

    options.onProgress('many endpoints');
    const paths: string[] = [];
    for (const [index, apiKey] of keys.entries()) {
      for (let number = 0; number < ENDPOINTS_PER_WORKSPACE; number += 1) {
        paths.push(`/${index}/${number}`);
        await addEndpoint(apiKey, `/${index}/${number}`);
      }
    }
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
    const withHung = await measure(paths.length - 1);
    const usualP99 = percentile(usual, 0.99);
    const withHungP99 = percentile(withHung, 0.99);

    return [
      latency('event → webhook, p50', median(delays), 20),
      latency('event → webhook, p99', percentile(delays, 0.99)),
      {
        name: 'backlog of one endpoint, one worker',
        value: ofOne,
        unit: 'per second',
        goal: { atLeast: 2_000 },
      },
      {
        name: 'backlog of ten endpoints, one worker',
        value: ofTen,
        unit: 'per second',
        goal: { atLeast: 2_000 },
      },
      latency(`${paths.length} endpoints, p99`, usualP99),
      latency(`${paths.length} endpoints, one hangs, p99 of the others`, withHungP99),
      latency('p99 that the hung endpoint adds', withHungP99 - usualP99, 1_000),
    ];
  } finally {
    await environment.close();
  }
}
