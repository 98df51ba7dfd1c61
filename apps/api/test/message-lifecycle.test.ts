import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient } from '@switchboard/client';
import type { Message } from '@switchboard/contracts';
import {
  type ChildProcess,
  type RedisServer,
  type WorkspaceFixture,
  EVENTUALLY,
  mapBounded,
  numbersTo,
  startRedis,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Service, ask, startService } from './start-service.ts';

// End-to-end tests with API, worker, Redis and simulator.

const OURS = '+15558673333';
const THEIRS = '+15558674444';

let redis: RedisServer;
let simulator: ChildProcess;
let service: Service;
let worker: ChildProcess;
let workspace: WorkspaceFixture;
let client: Client;
let env: Record<string, string>;

beforeAll(async () => {
  redis = await startRedis();
  simulator = await startSimulator();
  env = {
    REDIS_URL: redis.url,
    TWILIO_API_URL: simulator.url,
    SWEEP_MS: '200',
    RATE_LIMIT_MESSAGING: '100000',
  };
  service = await startService({ env });
  env = { ...env, DATABASE_URL: service.database.url, PUBLIC_URL: service.url };
  worker = await startWorker(env);
  workspace = await service.addWorkspace({ from: null });
  client = createClient({ baseUrl: service.url, token: workspace.apiKey });
  const added = await client('POST /api/numbers', { body: { number: OURS } });
  if (!added.ok || !added.data.inbound_wired) throw new Error('inbound is not configured');
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  await simulator.stop();
  await redis.close();
});

async function read(messageId: string): Promise<Message> {
  const found = await client('GET /api/messages/{messageId}', { params: { messageId } });
  if (!found.ok) throw new Error(found.detail);
  return found.data;
}

async function send(body: string, more: { media_urls?: string[]; scheduled_at?: string } = {}) {
  const sent = await client('POST /api/messages', { body: { to: THEIRS, body, ...more } });
  if (!sent.ok) throw new Error(sent.detail);
  return sent.data.id;
}

async function until(messageId: string, status: string): Promise<Message> {
  const options = { timeout: 60_000, interval: 100 };
  await vi.waitUntil(async () => (await read(messageId)).status === status, options);
  return read(messageId);
}

/** Returns the carrier's accepted messages by their text. */
async function readLedger(): Promise<Map<string, { accepted_at: string }[]>> {
  const { text } = await ask(simulator.url, '/simulator/ledger');
  const byBody = new Map<string, { accepted_at: string }[]>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const entry = JSON.parse(line) as { body: string; accepted_at: string };
    byBody.set(entry.body, [...(byBody.get(entry.body) ?? []), entry]);
  }
  return byBody;
}

describe('MMS', () => {
  test('an MMS is sent once with its media in order', async () => {
    const urls = ['https://example.com/a.jpg', 'https://example.com/b.png?size=1&x=%20'];
    const message = await until(await send('Look', { media_urls: urls }), 'delivered');
    expect(message.media.map(({ url }) => url)).toEqual(urls);
    expect(message.provider_sid).toMatch(/^MM/);

    const account = `/2010-04-01/Accounts/${workspace.accountSid}`;
    const login = Buffer.from(`${workspace.accountSid}:${workspace.authToken}`).toString('base64');
    const path = `${account}/Messages/${message.provider_sid}/Media.json`;
    const headers = { authorization: `Basic ${login}` };
    const media = await ask(simulator.url, path, { headers });
    expect(media.json?.['media_list']).toHaveLength(2);
    expect((await readLedger()).get('Look')).toHaveLength(1);
  });

  test('an inbound MMS lists its media with their types, and each file can be fetched unchanged', async () => {
    const picture = `${simulator.url}/simulator/media/cat.png`;
    const json = { to: OURS, from: THEIRS, body: 'See', media_urls: [picture] };
    await ask(simulator.url, '/simulator/inbound', { json });
    const listed = await client('GET /api/messages', { query: { direction: 'inbound' } });
    if (!listed.ok) throw new Error(listed.detail);
    const [message] = listed.data.messages;
    expect(message).toMatchObject({ body: 'See', media: [{ content_type: 'image/png' }] });

    const params = { messageId: message?.id ?? '', index: 0 };
    const fetched = await client('GET /api/messages/{messageId}/media/{index}', { params });
    if (!fetched.ok) throw new Error(fetched.detail);
    expect(fetched.headers.get('content-type')).toBe('image/png');
    const original = await (await fetch(picture)).arrayBuffer();
    expect(Buffer.from(await fetched.data.arrayBuffer())).toEqual(Buffer.from(original));
  });
});

test('a scheduled message is sent once at its time, even if the queue and the worker were lost before then', async () => {
  const at = new Date(Date.now() + 15_000);
  const ids = await Promise.all(
    [1, 2, 3].map((n) => send(`Later ${n}`, { scheduled_at: at.toISOString() })),
  );
  for (const id of ids) expect((await read(id)).status).toBe('scheduled');
  await worker.kill();
  // This Redis is not persistent, so it is empty after the restart.
  await redis.kill();
  await redis.start();
  worker = await startWorker(env);

  for (const id of ids) await until(id, 'delivered');
  const ledger = await readLedger();
  for (const n of [1, 2, 3]) {
    const accepted = ledger.get(`Later ${n}`) ?? [];
    expect(accepted).toHaveLength(1);
    expect(Date.parse(accepted[0]?.accepted_at ?? '')).toBeGreaterThanOrEqual(at.getTime());
  }
});

describe('cancellation during dispatch', () => {
  async function cancel(messageId: string): Promise<'canceled' | 'too late'> {
    const response = await client('POST /api/messages/{messageId}/cancel', {
      params: { messageId },
    });
    if (response.ok) return 'canceled';
    expect(response.error).toBe('invalid_state');
    return 'too late';
  }

  async function expectKept(outcomes: { id: string; body: string; outcome: string }[]) {
    for (const { id, outcome } of outcomes) {
      await until(id, outcome === 'canceled' ? 'canceled' : 'delivered');
    }
    const ledger = await readLedger();
    for (const { body, outcome } of outcomes) {
      expect([body, ledger.get(body)?.length ?? 0]).toEqual([body, outcome === 'canceled' ? 0 : 1]);
    }
  }

  test('a message that is canceled while it is sent is either canceled or sent, never both', async () => {
    const outcomes = await mapBounded(numbersTo(40), async (n) => {
      const body = `At once ${n}`;
      const id = await send(body);
      // Some are already sent, some are not, and some are being sent.
      await delay((n % 8) * 4);
      return { id, body, outcome: await cancel(id) };
    });
    await expectKept(outcomes);
  });

  test('a scheduled message that is canceled at its send time is either canceled or sent, never both', async () => {
    const at = new Date(Date.now() + 15_000);
    const waiting = await mapBounded(numbersTo(40), async (n) => {
      const body = `In time ${n}`;
      return { body, id: await send(body, { scheduled_at: at.toISOString() }) };
    });
    const outcomes = await Promise.all(
      waiting.map(async ({ body, id }, n) => {
        // Some are canceled early, so that even on a busy machine not all of them are too late.
        const earlyMs = n % 4 === 0 ? 8_000 : 50 - n * 8;
        await delay(Math.max(0, at.getTime() - Date.now() - earlyMs));
        return { body, id, outcome: await cancel(id) };
      }),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toContain('canceled');
    await expectKept(outcomes);
  });
});

test('the log lines with a request id or message id show all steps from the API to delivery', async () => {
  const requestId = `order-${Date.now()}`;
  const headers = { 'x-request-id': requestId };
  const json = { to: THEIRS, body: 'A message without readers' };
  const sent = await ask(service.url, '/api/messages', { token: workspace.apiKey, headers, json });
  expect(sent.headers.get('x-request-id')).toBe(requestId);
  const messageId = String(sent.json?.['id']);
  await until(messageId, 'delivered');

  const names = { message_id: messageId, workspace_id: workspace.workspaceId };
  const callback = { ...names, msg: 'status callback received', message_request_id: requestId };
  const steps = [
    {
      ...names,
      name: 'api',
      msg: 'request completed',
      request_id: requestId,
      api_key_id: workspace.apiKeyId,
    },
    { ...names, name: 'worker', msg: 'provider answered', request_id: requestId, attempt: 1 },
    { ...callback, name: 'api', status: 'sent' },
    { ...callback, name: 'api', status: 'delivered', result: 'recorded' },
  ];
  for (const id of [requestId, messageId]) {
    await vi.waitFor(() => {
      const lines = [...service.apis, worker]
        .flatMap(({ logs }) => logs)
        .filter((line) => line.includes(id));
      const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      for (const step of steps) expect(found).toContainEqual(expect.objectContaining(step));
      for (const line of lines) {
        expect(line).toContain('"level":"info"');
        expect(line).not.toContain(json.body);
        expect(line).not.toContain(THEIRS.slice(1));
      }
    }, EVENTUALLY);
  }
});

test('health checks and metrics are not logged at level info', async () => {
  const [api] = service.apis;
  if (api === undefined) throw new Error('the API is not running');
  const before = api.logs.length;
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    expect((await ask(service.url, path)).status).toBe(200);
  }
  const marker = `after-${Date.now()}`;
  await ask(service.url, '/api/messages', { headers: { 'x-request-id': marker } });
  await vi.waitFor(() => {
    const lines = api.logs.slice(before);
    expect(lines.filter((line) => line.includes(marker))).toHaveLength(1);
    expect(lines.filter((line) => /health|metrics/.test(line))).toEqual([]);
  }, EVENTUALLY);
});
