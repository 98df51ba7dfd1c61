import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '@switchboard/testing';
import { percentile } from '@switchboard/testing/percentile';
import { WARM_UP, runLoad } from '../environment/run-load.ts';
import type { Run, Scenario } from '../scenario.ts';
import { measureInRounds } from '../statistics.ts';

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
  async run(run) {
    await measureDeliveries(run);
    await compareAccepting(run);
  },
};

/** Starts a receiver of workspace webhooks. It does not answer requests to `hangingPath`. */
async function startReceiver() {
  const receiver = {
    /** When each delivery arrived and when its event happened, as `Date.now()`. */
    received: [] as { at: number; eventAt: number }[],
    hangingPath: null as string | null,
    delays: () => receiver.received.map(({ at, eventAt }) => at - eventAt),
    async receive(count: number): Promise<void> {
      const deadline = performance.now() + LIMIT_MS;
      while (receiver.received.length < count) {
        if (performance.now() > deadline)
          throw new Error(`${receiver.received.length} of ${count} deliveries arrived`);
        await delay(POLL_MS);
      }
    },
  };
  const server = createServer((request, response) => {
    const at = Date.now();
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url === receiver.hangingPath) return;
      response.writeHead(204).end();
      const { timestamp } = JSON.parse(body) as { timestamp: string };
      receiver.received.push({ at, eventAt: Date.parse(timestamp) });
    });
  });
  const { url, close } = await listen(server);
  return Object.assign(receiver, { url, close });
}

async function measureDeliveries({ short, open, progress, report, latencies }: Run): Promise<void> {
  const receiver = await startReceiver();
  const { receive } = receiver;
  const environment = await open({ workspaces: 1 + (short ? 4 : 20) });
  environment.onClose(() => receiver.close());
  const [firstKey = '', ...keys] = environment.workspaces.map(({ apiKey }) => apiKey);
  const env = { WEBHOOK_ALLOW_LOOPBACK: 'true' };
  const { url } = await environment.startApi(env);
  await environment.startWorker(url, env);
  const root = `${url}/api/webhook-endpoints`;
  const addEndpoint = (apiKey: string, path: string) => {
    const endpoint = { url: receiver.url + path, event_types: ['message.created'] };
    const request = { method: 'POST', token: apiKey, body: endpoint } as const;
    return environment.http.call<{ id: string }>(root, request);
  };
  /** Scheduled messages cause one event and no other work. */
  const send = (apiKey: string) =>
    environment.sendMessage(url, apiKey, 'Hello', new Date(Date.now() + SCHEDULED_MS));

  progress('one event after another');
  const endpoint = await addEndpoint(firstKey, '/first');
  const singles = short ? 200 : 1_000;
  const warmUp = singles / 2;
  for (let number = 1; number <= warmUp + singles; number += 1) {
    await send(firstKey);
    await receive(number);
  }
  latencies('event → webhook', receiver.delays().slice(warmUp));

  /** Sends messages while the endpoints are disabled. Returns the deliveries per second after that. */
  async function deliverBacklog(endpoints: readonly { id: string }[], messages: number) {
    const enable = async (enabled: boolean) => {
      const request = { method: 'PATCH', token: firstKey, body: { enabled } } as const;
      for (const { id } of endpoints) await environment.http.call(`${root}/${id}`, request);
    };
    await enable(false);
    let left = messages;
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        for (left -= 1; left >= 0; left -= 1) await send(firstKey);
      }),
    );
    receiver.received.length = 0;
    await enable(true);
    const deliveries = messages * endpoints.length;
    await receive(deliveries);
    const times = receiver.received.map(({ at }) => at);
    return (deliveries * 1_000) / (percentile(times, 1) - percentile(times, 0));
  }

  progress('a backlog');
  const backlog = short ? 5_000 : 20_000;
  const ten = [endpoint];
  const ofOne = await deliverBacklog(ten, backlog);
  report('backlog of one endpoint, one worker', 'per second', ofOne);
  while (ten.length < 10) ten.push(await addEndpoint(firstKey, `/${ten.length}`));
  const ofTen = await deliverBacklog(ten, backlog / 10);
  report('backlog of ten endpoints, one worker', 'per second', ofTen);

  progress('many endpoints');
  for (const [index, apiKey] of keys.entries()) {
    for (let number = 0; number < ENDPOINTS_PER_WORKSPACE; number += 1)
      await addEndpoint(apiKey, `/${index}/${number}`);
  }
  const count = keys.length * ENDPOINTS_PER_WORKSPACE;
  async function measureP99(expected: number): Promise<number> {
    const all: number[] = [];
    for (let round = 0; round < (short ? 3 : 10); round += 1) {
      receiver.received.length = 0;
      for (const apiKey of keys) await send(apiKey);
      await receive(expected);
      all.push(...receiver.delays());
    }
    return percentile(all, 0.99);
  }
  await measureP99(count);
  const usual = await measureP99(count);
  receiver.hangingPath = '/0/0';
  const withHung = await measureP99(count - 1);
  report(`${count} endpoints, p99`, 'ms', usual);
  report(`${count} endpoints, one hangs, p99 of the others`, 'ms', withHung);
  report('p99 that the hung endpoint adds', 'ms', withHung - usual);
  await environment.close();
}

const WORKSPACES = 16;
const ENDPOINTS = 10;

/**
 * Measures how many messages per second are accepted for workspaces with ten endpoints, relative to
 * workspaces without endpoints. No worker runs, because a delivery would take CPU time from the API on the
 * same machine, with or without a cost in the accept path.
 */
async function compareAccepting({ short, open, progress, report }: Run): Promise<void> {
  const [rounds, seconds] = short ? [3, 3] : [7, 5];
  const environment = await open({ workspaces: 2 * WORKSPACES });
  const { url } = await environment.startApi();
  const all = environment.workspaces.map(({ apiKey }) => apiKey);
  const [withTen, without] = [all.slice(0, WORKSPACES), all.slice(WORKSPACES)];
  const body = { url: 'https://example.com/webhooks' };
  for (const token of withTen) {
    for (let number = 0; number < ENDPOINTS; number += 1)
      await environment.http.call(`${url}/api/webhook-endpoints`, { method: 'POST', token, body });
  }
  const load = async (apiKeys: string[], plan: object = { seconds }) =>
    (await runLoad(environment, { url, apiKeys, seconds, ...plan })).acceptedPerSecond;
  await load(all, WARM_UP);
  const measured = await measureInRounds(rounds, (what) => progress(`accepting, ${what}`), {
    'with ten': () => load(withTen),
    without: () => load(without),
  });
  const ratio = measured.ratio('with ten', 'without');
  report('accepting with ten endpoints / with none', 'times', ratio);
}
