import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testWorkspaceOf } from '@switchboard/core';
import { type ChildProcess, EVENTUALLY, startSimulator, startWorker } from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Service, ask, expectRefusal, startService } from '../start-service.ts';
import { addTestKey } from '../test-mode/environment.ts';
import { addPerson, clientOf } from '../workspace-client.ts';

let simulator: ChildProcess;
let service: Service;
let worker: ChildProcess;

beforeAll(async () => {
  simulator = await startSimulator();
  const env = {
    TWILIO_API_URL: simulator.url,
    SWEEP_MS: '200',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    RATE_LIMIT_MESSAGING: '100000',
    WEBHOOK_RETRIES_MS: '500,1000,1500',
  };
  service = await startService({ env });
  worker = await startWorker({
    ...env,
    DATABASE_URL: service.database.url,
    PUBLIC_URL: service.url,
  });
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  await simulator.stop();
});

interface Received {
  type: string;
  data: { id?: string; status?: string; error_detail?: string | null; action?: string };
}

/**
 * Receives webhooks, and responds only when it is opened, so that a closed workspace waits for it. `refused` is the action of which it
 * refuses the first entry, and it accepts those of others at once.
 */
async function startHeldReceiver(refused?: string) {
  const received: Received[] = [];
  const held: ServerResponse[] = [];
  let isOpen = false;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const event = JSON.parse(body) as Received;
      const isFirst = received.every(({ data }) => data.action !== refused);
      received.push(event);
      if (refused !== undefined && event.data.action !== refused) response.end();
      else if (refused !== undefined && isFirst) response.writeHead(500).end();
      else if (isOpen) response.end();
      else held.push(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    open(): void {
      isOpen = true;
      for (const response of held) response.end();
    },
  };
}

/** Waits until a worker has taken the closed workspace, and left it for later, after the call. */
async function waitForStep(workspaceId: string): Promise<void> {
  const read = async () => {
    const [row] = await service.sql<{ at: string; isTaken: boolean }>(
      `SELECT next_step_at::text AS at, next_step_at > now() + interval '30 seconds' AS "isTaken" FROM workspaces WHERE id = $1`,
      [workspaceId],
    );
    return row;
  };
  // The step that is taken now may have begun before the call.
  for (let steps = 0; steps < 2; steps += 1) {
    const before = await read();
    await vi.waitFor(async () => {
      const row = await read();
      expect(row).toMatchObject({ isTaken: false });
      expect(row?.at).not.toBe(before?.at);
    }, EVENTUALLY);
  }
}

async function waitUntilDeleted(workspaceId: string): Promise<void> {
  await vi.waitFor(async () => {
    const both = [workspaceId, testWorkspaceOf(workspaceId)];
    expect(
      await service.sql('SELECT 1 FROM workspaces WHERE id = ANY($1::uuid[])', [both]),
    ).toEqual([]);
  }, EVENTUALLY);
}

async function openSocket(path: string, credential: string) {
  const url = `${service.url.replace('http', 'ws')}${path}`;
  const socket = new WebSocket(url, ['messaging.v1', `bearer.${credential}`]);
  await once(socket, 'message');
  return { closed: once(socket, 'close') };
}

const NUMBER = '+15558671234';

test('a closed workspace admits, sends and receives nothing, reports its last events, and is then deleted', async () => {
  const workspace = await service.addWorkspace({ from: null });
  const { workspaceId, sessionToken, apiKey, userId } = workspace;
  const owner = clientOf(service, workspace, sessionToken);
  const added = await owner('/numbers', { json: { number: NUMBER } });
  expect(added.json).toMatchObject({ inbound_wired: true });
  const receiver = await startHeldReceiver();
  expect((await owner('/webhook-endpoints', { json: { url: receiver.url } })).status).toBe(201);
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  const sent = await ask(service.url, '/api/messages', {
    token: apiKey,
    json: { to: '+15558670001', body: 'Tomorrow', scheduled_at },
  });
  expect(sent.status).toBe(201);
  const { key: testKey } = await addTestKey(service, workspace);
  const member = await addPerson(service, workspace, 'member');
  const sockets = [
    await openSocket(`/api/ui/workspaces/${workspaceId}/events`, sessionToken),
    await openSocket('/api/events', apiKey),
    await openSocket('/api/events', testKey),
  ];

  const name = String((await owner('')).json?.['name']);
  const close = { method: 'DELETE', json: { name } };
  expectRefusal(await member.client('', close), 403, 'forbidden');
  const other = { method: 'DELETE', json: { name: `${name}!` } };
  expectRefusal(await owner('', other), 400, 'invalid_params', /name of the workspace/);
  expectRefusal(await owner('', { method: 'DELETE', json: {} }), 400, 'missing_params');
  const testPath = `/api/ui/workspaces/${testWorkspaceOf(workspaceId)}`;
  expectRefusal(
    await ask(service.url, testPath, { ...close, token: sessionToken }),
    403,
    'forbidden',
  );
  expect((await owner('', close)).json).toEqual({ ok: true });

  const codes = (await Promise.all(sockets.map(({ closed }) => closed))).map(
    ([code]) => code as number,
  );
  expect(codes).toEqual([4403, 4401, 4401]);
  for (const token of [apiKey, testKey]) {
    expectRefusal(await ask(service.url, '/api/messages', { token }), 401, 'unauthorized');
  }
  for (const client of [owner, member.client]) {
    expectRefusal(await client('/messages'), 403, 'forbidden');
  }
  const me = await ask(service.url, '/api/ui/me', { token: sessionToken });
  expect(me.json).toMatchObject({ workspaces: [] });
  const inbound = await ask(simulator.url, '/simulator/inbound', {
    json: { to: NUMBER, from: '+15558670002', body: 'Too late' },
  });
  expect(inbound.json).toMatchObject({ status: 403 });

  // It is still here, because the endpoint has not received all events.
  await waitForStep(workspaceId);
  receiver.open();
  const id = String(sent.json?.['id']);
  await vi.waitFor(() => {
    expect(receiver.received.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ id, status: 'canceled', error_detail: 'The workspace was closed' }),
    );
  }, EVENTUALLY);
  await waitUntilDeleted(workspaceId);
  expectRefusal(await owner(''), 404, 'not_found');
  const logged = [...service.apis, worker].flatMap(({ logs }) => logs).join(' ');
  // The audit trail is deleted, so the log says who it was.
  expect(logged).toMatch(
    new RegExp(`"workspace_id":"${workspaceId}","user_id":"${userId}","msg":"workspace closed"`),
  );
  expect(logged).toContain('"closed workspace deleted"');
});

test('a webhook that fails once is delivered before the data of a closed workspace is deleted, also that of the closing itself', async () => {
  const workspace = await service.addWorkspace({ from: null });
  const { workspaceId, sessionToken } = workspace;
  const owner = clientOf(service, workspace, sessionToken);
  const name = String((await owner('')).json?.['name']);
  const receiver = await startHeldReceiver('workspace.closed');
  const json = { url: receiver.url, event_types: ['audit_entry.created'] };
  expect((await owner('/webhook-endpoints', { json })).status).toBe(201);
  expect((await owner('', { method: 'DELETE', json: { name } })).json).toEqual({ ok: true });
  const closings = () =>
    receiver.received.filter(({ data }) => data.action === 'workspace.closed').length;
  await vi.waitFor(() => expect(closings()).toBe(2), EVENTUALLY);
  await waitForStep(workspaceId);
  receiver.open();
  await waitUntilDeleted(workspaceId);
  expect(closings()).toBe(2);
});
