import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sendMessage } from '../environment/api-client.ts';
import type { BenchEnvironment } from '../environment/open-environment.ts';
import { queueBacklog } from '../environment/queue-backlog.ts';
import { type Neighbor, call, callOk, firstOf, repeat } from './neighbor.ts';

const IMPORTS = 10;
const CONTACTS_PER_IMPORT = 200;
const FIELDS = 20;
const ENDPOINTS_PER_WORKSPACE = 50;
const SCHEDULED_MS = 3_600_000;

/** Exports of contacts with as many different field names as the service accepts. */
const contactExport: Neighbor = {
  name: 'contact exports',
  workspaces: 1,
  async start({ apiUrl, busy }) {
    const { apiKey } = firstOf(busy);
    for (let n = 0; n < IMPORTS; n += 1) {
      const contacts = Array.from({ length: CONTACTS_PER_IMPORT }, (_, index) => {
        const id = n * CONTACTS_PER_IMPORT + index;
        const fields = Array.from({ length: FIELDS }, (_field, f) => [`field ${id} ${f}`, 'value']);
        return {
          number: `+1202555${String(id).padStart(4, '0')}`,
          fields: Object.fromEntries(fields) as Record<string, string>,
        };
      });
      const body = { contacts, existing: 'keep' };
      const { status, text } = await call('POST', `${apiUrl}/api/contacts/import`, apiKey, body);
      // Fewer than wanted, if there is a quota.
      if (status >= 500) throw new Error(`The API responded with ${text}`);
      if (status >= 300) break;
    }
    return repeat(async () => {
      await callOk('GET', `${apiUrl}/api/contacts/export.csv`, apiKey);
    });
  },
};

/** A carrier that accepts a bind, sends PDUs without an end and reads nothing. */
const smscFlood: Neighbor = {
  name: 'an SMSC that floods and never reads',
  workspaces: 1,
  async start({ environment, apiUrl, busy }) {
    const { workspaceId, sessionToken, apiKey } = firstOf(busy);
    const [port] = await startProcess<number>(environment, '../neighbors/flood-process.js', []);
    const credentials = {
      host: '127.0.0.1',
      port,
      tls: false,
      system_id: 'flood',
      password: 'secret',
    };
    const root = `${apiUrl}/api/ui/workspaces/${workspaceId}`;
    const account = { type: 'smpp', credentials };
    const added = JSON.parse(await callOk('POST', `${root}/providers`, sessionToken, account)) as {
      id: string;
    };
    const number = { number: '+15005550099', provider_id: added.id };
    await callOk('POST', `${root}/numbers`, sessionToken, number);
    await delay(3_000);
    return repeat(async () => {
      const message = { to: '+12025550188', from: number.number, body: 'Hello' };
      await callOk('POST', `${apiUrl}/api/messages`, apiKey, message);
      await delay(200);
    });
  },
};

/** Webhook endpoints that accept connections and never answer. */
const hangingEndpoints: Neighbor = {
  name: 'hanging webhook endpoints',
  workspaces: 21,
  async start({ environment, apiUrl, busy, isShort }) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      environment.onClose(async () => void socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    environment.onClose(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    const used = isShort ? busy.slice(0, 6) : busy;
    for (const { apiKey } of used) {
      for (let n = 0; n < ENDPOINTS_PER_WORKSPACE; n += 1) {
        const endpoint = { url: `http://127.0.0.1:${port}/${n}`, event_types: null };
        await callOk('POST', `${apiUrl}/api/webhook-endpoints`, apiKey, endpoint);
      }
    }
    const sendToAll = async (): Promise<void> => {
      for (const { apiKey } of used) {
        await sendMessage(apiUrl, apiKey, 'Hello', new Date(Date.now() + SCHEDULED_MS));
      }
      await delay(500);
    };
    await sendToAll();
    return repeat(sendToAll);
  },
};

/** Scheduled messages that are all due at the same time. */
const scheduled: Neighbor = {
  name: 'scheduled messages',
  workspaces: 1,
  async start({ environment, busy, isShort }) {
    const [count, secondsAhead] = isShort ? [30_000, 40] : [300_000, 240];
    const at = new Date(Date.now() + secondsAhead * 1_000);
    await queueBacklog({ ...environment, workspace: firstOf(busy), count, scheduledAt: at });
    await delay(Math.max(0, at.getTime() - Date.now()));
    return async () => undefined;
  },
};

const bulk: Neighbor = {
  name: 'bulk messages',
  workspaces: 1,
  async start({ environment, busy, isShort }) {
    const count = isShort ? 20_000 : 100_000;
    await queueBacklog({ ...environment, workspace: firstOf(busy), count });
    return async () => undefined;
  },
};

/** Sockets that all receive the events of a workspace that sends. */
const sockets: Neighbor = {
  name: 'sockets',
  workspaces: 1,
  async start({ environment, apiUrl, busy, isShort }) {
    const { apiKey } = firstOf(busy);
    const count = isShort ? 1_000 : 5_000;
    await startProcess(environment, '../load/socket-process.js', [apiUrl, apiKey, String(count)]);
    return repeat(async () => {
      await sendMessage(apiUrl, apiKey, 'Hello', new Date(Date.now() + SCHEDULED_MS));
      await delay(500);
    });
  },
};

export const NEIGHBORS: readonly Neighbor[] = [
  contactExport,
  smscFlood,
  hangingEndpoints,
  scheduled,
  bulk,
  sockets,
];

/** Starts a process of its own, and resolves with its first message. */
async function startProcess<Message>(
  environment: Pick<BenchEnvironment, 'onClose'>,
  file: string,
  args: string[],
): Promise<[Message]> {
  const child = fork(join(import.meta.dirname, file), args);
  const exited = once(child, 'exit');
  environment.onClose(async () => {
    if (child.connected) child.disconnect();
    await exited;
  });
  const failed = exited.then(([code]) => {
    throw new Error(`The process ${file} exited with ${String(code)}.`);
  });
  failed.catch(() => undefined);
  return (await Promise.race([once(child, 'message'), failed])) as [Message];
}
