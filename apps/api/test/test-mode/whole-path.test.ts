import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '@switchboard/contracts';
import { MAGIC_SENDER } from '@switchboard/providers/magic-numbers';
import {
  EVENTUALLY,
  type ChildProcess,
  type WorkspaceFixture,
  startWorker,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type EventClient, createEventClient } from '../event-client.ts';
import {
  type AskOptions,
  type Service,
  ask,
  expectRefusal,
  startService,
} from '../start-service.ts';
import { type TestKey, type VendorTrap, addTestKey, startVendorTrap } from './environment.ts';

interface Delivered {
  type: string;
  data: Message;
}

let trap: VendorTrap;
let service: Service;
let worker: ChildProcess;
let workspace: WorkspaceFixture;
let testKey: TestKey;
let frames: { test: EventClient; live: EventClient };
const webhooks = { test: [] as Delivered[], live: [] as Delivered[] };
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => (body += String(part)));
  request.on('end', () => {
    const list = request.url === '/test' ? webhooks.test : webhooks.live;
    list.push(JSON.parse(body) as Delivered);
    response.end();
  });
});

const inTest = (path: string, options: AskOptions = {}) =>
  ask(service.url, path, { token: testKey.key, ...options });
const inLive = (path: string, options: AskOptions = {}) =>
  ask(service.url, path, { token: workspace.apiKey, ...options });

async function send(to: string, more: object = {}): Promise<string> {
  const sent = await inTest('/api/messages', { json: { to, body: 'Your order', ...more } });
  expect([sent.status, sent.text]).toEqual([201, expect.any(String)]);
  return String(sent.json?.['id']);
}

const read = async (id: string) => (await inTest(`/api/messages/${id}`)).json as unknown as Message;

async function follow(token: string): Promise<EventClient> {
  const url = `${service.url.replace('http', 'ws')}/api/events`;
  const client = createEventClient(
    new WebSocket(url, ['messaging.v1'], { headers: { authorization: `Bearer ${token}` } }),
  );
  await client.receive(1);
  return client;
}

beforeAll(async () => {
  trap = await startVendorTrap();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const env = {
    ...trap.env,
    SWEEP_MS: '100',
    RATE_LIMIT_MESSAGING: '100000',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
  };
  service = await startService({ env });
  const { url } = service.database;
  worker = await startWorker({
    ...env,
    DATABASE_URL: url,
    PUBLIC_URL: service.url,
    METRICS_PORT: '0',
  });
  workspace = await service.addWorkspace({ provider: false, from: null });
  testKey = await addTestKey(service, workspace);
  const { port } = receiver.address() as AddressInfo;
  for (const [ask_, name] of [
    [inTest, 'test'],
    [inLive, 'live'],
  ] as const) {
    const json = { url: `http://127.0.0.1:${port}/${name}` };
    const added = await ask_('/api/webhook-endpoints', { json });
    const mode = added.json?.['mode'];
    if (mode !== name) throw new Error(`The endpoint has the mode ${String(mode)}: ${added.text}`);
  }
  frames = { test: await follow(testKey.key), live: await follow(workspace.apiKey) };
});

afterAll(async () => {
  frames.test.socket.terminate();
  frames.live.socket.terminate();
  await worker.stop();
  await service.close();
  await new Promise((resolve) => receiver.close(resolve));
  await trap.close();
});

test.each<[string, string, string | null]>([
  ['+15551230001', 'delivered', null],
  ['+15005550011', 'undelivered', '30003'],
  ['+15005550001', 'failed', '21211'],
  ['+15005550014', 'sent', null],
  ['+15005550018', 'read', null],
])(
  'without a provider and without a number, a message to %s in test mode becomes %s',
  async (to, status, code) => {
    const id = await send(to);
    await vi.waitFor(async () => {
      const message = await read(id);
      expect([message.status, message.error_code]).toEqual([status, code]);
    }, EVENTUALLY);
    const message = await read(id);
    expect(message).toMatchObject({ mode: 'test', from: MAGIC_SENDER });
    if (message.error_code !== null) expect(message.error_detail).not.toBeNull();
    expect(trap.connections()).toBe(0);
  },
);

test('a message to the slow number is sent before it is delivered, and a scheduled one can be canceled', async () => {
  const slow = await send('+15005550017');
  await vi.waitFor(async () => expect((await read(slow)).status).toBe('sent'), EVENTUALLY);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await send('+15551230001', { scheduled_at: later });
  expect((await read(scheduled)).status).toBe('scheduled');
  const canceled = await inTest(`/api/messages/${scheduled}/cancel`, { method: 'POST' });
  expect(canceled.json?.['status']).toBe('canceled');
  await vi.waitFor(async () => expect((await read(slow)).status).toBe('delivered'), EVENTUALLY);
});

test('sockets and webhooks of test mode receive every event of a message, and those of live mode none', async () => {
  const id = await send('+15005550012');
  const received = await inTest('/api/test/inbound', {
    json: { to: MAGIC_SENDER, from: '+15551230009', body: 'Is it ready?' },
  });
  expect(received.json).toMatchObject({ status: 'received', mode: 'test', direction: 'inbound' });
  const own = (list: { data?: Message; message?: Message }[], of: unknown) =>
    list
      .map(({ data, message }) => data ?? message)
      .filter((message) => message?.id === of)
      .map((message) => [message?.mode, message?.status]);
  await vi.waitFor(() => {
    const expected = [
      ['test', 'queued'],
      ['test', 'sent'],
      ['test', 'undelivered'],
    ];
    expect(own(webhooks.test, id)).toEqual(expected);
    expect(own(frames.test.frames as { message?: Message }[], id)).toEqual(expected);
    const inbound = received.json?.['id'];
    expect(own(webhooks.test, inbound)).toEqual([['test', 'received']]);
    expect(own(frames.test.frames as { message?: Message }[], inbound)).toHaveLength(1);
  }, EVENTUALLY);
  expect(frames.live.frames.map(({ type }) => type)).toEqual(['ready']);
  expect(webhooks.live).toEqual([]);
});

test('STOP in test mode opts out of test messages only, and a live opt-out does not stop a test message', async () => {
  const session = { token: workspace.sessionToken };
  const optOuts = (id: string) => ask(service.url, `/api/ui/workspaces/${id}/opt-outs`, session);
  await inTest('/api/test/inbound', {
    json: { to: MAGIC_SENDER, from: '+15551230020', body: 'STOP' },
  });
  const again = await inTest('/api/messages', { json: { to: '+15551230020', body: 'x' } });
  expectRefusal(again, 400, 'recipient_opted_out');
  expect((await optOuts(workspace.workspaceId)).json?.['data']).toEqual([]);
  expect((await optOuts(testKey.workspaceId)).json?.['data']).toHaveLength(1);

  const path = `/api/ui/workspaces/${workspace.workspaceId}/opt-outs`;
  const added = await ask(service.url, path, { ...session, json: { number: '+15551230021' } });
  expect(added.status).toBe(201);
  await send('+15551230021');
});

test('test mode sends from the numbers of the workspace, and from no other number', async () => {
  await service.sql(
    `INSERT INTO phone_numbers (id, workspace_id, number, created_at)
     VALUES (gen_random_uuid(), $1, '+15557770001', now())`,
    [workspace.workspaceId],
  );
  const id = await send('+15551230001', { from: '+15557770001' });
  expect((await read(id)).from).toBe('+15557770001');
  const json = { to: '+15551230001', body: 'x', from: '+15557770002' };
  expectRefusal(await inTest('/api/messages', { json }), 403, 'forbidden');
  const inbound = { to: '+15557770002', from: '+15551230001', body: 'x' };
  expectRefusal(await inTest('/api/test/inbound', { json: inbound }), 404, 'not_found');
  expectRefusal(await inLive('/api/test/inbound', { json: inbound }), 400, 'invalid_state');
});

test('a keyword that is sent to a number of the workspace is answered from it, in test mode', async () => {
  await service.sql(
    `INSERT INTO phone_numbers (id, workspace_id, number, created_at)
     VALUES (gen_random_uuid(), $1, '+15557770003', now())`,
    [workspace.workspaceId],
  );
  const from = '+15551230030';
  for (const [count, body] of ['HELP', 'STOP', 'START'].entries()) {
    const received = await inTest('/api/test/inbound', {
      json: { to: '+15557770003', from, body },
    });
    expect([received.status, received.text]).toEqual([201, expect.any(String)]);
    await vi.waitFor(async () => {
      const listed = await inTest(`/api/messages?to=${encodeURIComponent(from)}`);
      const replies = listed.json?.['messages'] as Message[];
      expect(replies.map((reply) => [reply.from, reply.status])).toEqual(
        Array.from({ length: count + 1 }, () => ['+15557770003', 'delivered']),
      );
    }, EVENTUALLY);
  }
  expect(trap.connections()).toBe(0);
});

test('the metrics of provider calls and polls, which alerts read, count nothing of test mode', async () => {
  const text = await (await fetch(`${worker.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  expect(lines.some((line) => line.startsWith('switchboard_claims_total'))).toBe(true);
  expect(
    lines.filter((line) => /^switchboard_(provider_outcomes|polls)_total.* [1-9]/.test(line)),
  ).toEqual([]);
});

test('neither a request nor SQL gives test mode an account at a vendor, and a vendor’s account that is there is not called', async () => {
  const path = `/api/ui/workspaces/${testKey.workspaceId}`;
  const session = { token: workspace.sessionToken };
  const credentials = { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'x'.repeat(32) };
  for (const [method, part, json] of [
    ['PUT', '/provider', { type: 'twilio', ...credentials }],
    ['DELETE', '/provider', undefined],
    ['POST', '/providers', { type: 'twilio', name: 'x', credentials }],
    ['PUT', '/routing', { rules: [], failover: false }],
  ] as const) {
    const response = await ask(service.url, path + part, { ...session, method, json });
    expectRefusal(response, 403, 'forbidden', /sandbox/);
  }
  const become = `UPDATE provider_accounts SET type = 'twilio' WHERE workspace_id = $1`;
  await expect(service.sql(become, [testKey.workspaceId])).rejects.toThrow(/check constraint/);
  await service.sql(
    'ALTER TABLE provider_accounts DROP CONSTRAINT provider_accounts_of_test_mode_check',
  );
  await service.sql(become, [testKey.workspaceId]);
  const id = await send('+15551230001');
  await vi.waitFor(async () => expect((await read(id)).status).toBe('delivered'), EVENTUALLY);
  expect(trap.connections()).toBe(0);
});
