import { setTimeout as delay } from 'node:timers/promises';
import {
  type ChildProcess,
  type PostgresServer,
  type WorkspaceFixture,
  createWorkspaceFixture,
  startApi,
  startPostgres,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, expectRefusal } from './start-service.ts';

const OURS = '+15557770001';

let postgres: PostgresServer;
let simulator: ChildProcess;
let api: ChildProcess;
let settings: Record<string, string>;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  [postgres, simulator] = await Promise.all([startPostgres(), startSimulator()]);
  workspace = await createWorkspaceFixture(postgres.url, { from: null });
  settings = { DATABASE_URL: postgres.url, TWILIO_API_URL: simulator.url };
  api = await startApi(settings);
  const json = { number: OURS };
  const added = await ask(api.url, '/api/numbers', { token: workspace.apiKey, json });
  if (added.json?.['inbound_wired'] !== true) throw new Error('inbound is not configured');
});
afterAll(async () => {
  await api.stop();
  await simulator.stop();
  await postgres.close();
});

/** Makes the simulator deliver a message, with the retries that the number's SmsUrl configures. */
const receive = (from: string, body: string) =>
  ask(simulator.url, '/simulator/inbound', { json: { to: OURS, from, body } });

async function expectStopped(from: string): Promise<void> {
  const sent = await ask(api.url, '/api/messages', {
    token: workspace.apiKey,
    json: { to: from, body: 'Hello' },
  });
  expectRefusal(sent, 400, 'recipient_opted_out');
  const query = `/api/messages?direction=inbound&from=${encodeURIComponent(from)}`;
  const { json } = await ask(api.url, query, { token: workspace.apiKey });
  expect(json).toMatchObject({ pagination: { totalMessages: 1 } });
}

test('a STOP that arrives while the messages table is locked for 11 s is stored, and the next send is refused', async () => {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE messages');
  const received = receive('+15551230011', 'STOP');
  await delay(11_000);
  await client.query('ROLLBACK');
  await client.end();
  expect((await received).json).toMatchObject({ status: 200 });
  await expectStopped('+15551230011');
});

test('a STOP that arrives while the database is stopped for 4 s is stored, and the next send is refused', async () => {
  await postgres.stop();
  const received = receive('+15551230012', 'STOP');
  // Longer than the provider retries refused requests. After 15 s it gives up, and the start of the
  // database takes a part of that time.
  await delay(4_000);
  await postgres.start();
  expect((await received).json).toMatchObject({ status: 200 });
  await expectStopped('+15551230012');
});

test('a STOP that arrives while every API is down for longer than the provider retries is stored once from the provider’s list, and the next send is refused', async () => {
  await api.stop();
  // The provider gives up after six failed attempts within a few seconds.
  const received = await receive('+15551230013', 'STOP');
  expect(received.json).toMatchObject({ status: null, attempts: 6 });
  // The worker reads a message from the list only 30 s later, because its webhook may still arrive.
  await delay(31_000);
  // The same port, because the numbers are configured with this URL.
  api = await startApi({ ...settings, PORT: new URL(api.url).port });
  const worker = await startWorker({ ...settings, PUBLIC_URL: api.url });
  try {
    const isStored = async () => {
      const query = `/api/messages?direction=inbound&from=${encodeURIComponent('+15551230013')}`;
      const { json } = await ask(api.url, query, { token: workspace.apiKey });
      return json?.['pagination'];
    };
    // A turn that fails is followed by the next one a minute later.
    await expect
      .poll(isStored, { timeout: 120_000, interval: 1_000 })
      .toMatchObject({ totalMessages: 1 });
    await expectStopped('+15551230013');
  } finally {
    await worker.stop();
  }
});
