import { type Client, createClient } from '@switchboard/client';
import {
  EVENTUALLY,
  type ChildProcess,
  type WorkspaceFixture,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, ask, startService } from './start-service.ts';
import { clientOf } from './workspace-client.ts';

// End-to-end tests of an SMPP account with the API, the worker and the simulator.

const OURS = '+15558675555';
const THEIRS = '+15558676666';

let simulator: ChildProcess;
let service: Service;
let worker: ChildProcess;
let workspace: WorkspaceFixture;
let client: Client;

beforeAll(async () => {
  simulator = await startSimulator();
  // The test reads a message until it is delivered.
  const env = {
    PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8',
    SWEEP_MS: '200',
    RATE_LIMIT_MESSAGING: '100000',
  };
  service = await startService({ env });
  worker = await startWorker({
    ...env,
    DATABASE_URL: service.database.url,
    PUBLIC_URL: service.url,
  });
  workspace = await service.addWorkspace({ provider: false, from: OURS });
  client = createClient({ baseUrl: service.url, token: workspace.apiKey });
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  await simulator.stop();
});

/** Calls a control route of the simulator. */
async function control(path: string, json?: object) {
  const answer = await ask(simulator.url, `/simulator/${path}`, json === undefined ? {} : { json });
  if (answer.status > 299) throw new Error(answer.text);
  return answer;
}

test('a program sends over the SMPP account of its owner, a receipt reports the delivery, and replies arrive', async () => {
  const created = await control('accounts', { type: 'smpp' });
  const owner = clientOf(service, workspace, workspace.sessionToken);
  const added = await owner('/providers', {
    json: { type: 'smpp', credentials: created.json?.['credentials'] },
  });
  expect(added).toMatchObject({
    status: 201,
    json: { type: 'smpp', on_unknown: 'fail', evidence: { look_up: 'none' } },
  });
  const id = String(added.json?.['id']);
  expect(await owner(`/providers/${id}/verify`, { method: 'POST' })).toMatchObject({
    json: { ok: true },
  });

  const body = `Grüße 👋 ${'long '.repeat(60)}`;
  const sent = await client('POST /api/messages', { body: { to: THEIRS, body } });
  if (!sent.ok) throw new Error(sent.detail);
  const params = { messageId: sent.data.id };
  const read = () => client('GET /api/messages/{messageId}', { params });
  await expect.poll(read, EVENTUALLY).toMatchObject({ data: { status: 'delivered' } });
  expect(await read()).toMatchObject({ data: { from: OURS, provider: { id, type: 'smpp' } } });
  const { text } = await control('ledger');
  const ledger = text.split('\n').filter((line) => line !== '');
  expect(ledger.map((line) => JSON.parse(line) as object)).toMatchObject([
    { provider: 'smpp', to: THEIRS, from: OURS, body },
  ]);

  const answer = 'Спасибо 👍';
  const delivery = await control('inbound', { to: OURS, from: THEIRS, body: answer });
  expect(delivery.json).toMatchObject({ status: 200, attempts: 1 });
  const received = await client('GET /api/messages', { query: { direction: 'inbound' } });
  expect(received).toMatchObject({
    data: { messages: [{ status: 'received', from: THEIRS, to: OURS, body: answer }] },
  });
});
