import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type WorkspaceFixture, listen, repeat } from '@switchboard/testing';
import { queueBacklog } from '../environment/backlog.ts';
import type { BenchEnvironment } from '../environment/open-environment.ts';

/** What a load uses: the service, and the workspaces of one owner that it may fill. */
interface NeighborContext {
  environment: BenchEnvironment;
  url: string;
  busy: WorkspaceFixture;
  others: readonly WorkspaceFixture[];
  short: boolean;
}

/** A load that one user causes, and that must not slow down the workspaces of others. */
export interface Neighbor {
  name: string;
  /** The number of workspaces that it uses. */
  workspaces: number;
  /** Starts the load, and resolves when it is there. It continues until the returned function is called. */
  start(context: NeighborContext): Promise<() => Promise<void>>;
}

const IMPORTS = 10;
const CONTACTS_PER_IMPORT = 200;
const FIELDS = 20;
const ENDPOINTS_PER_WORKSPACE = 50;
const SCHEDULED_MS = 3_600_000;

export const NEIGHBORS: readonly Neighbor[] = [
  { name: 'contact exports', workspaces: 1, start: exportContacts },
  { name: 'an SMSC that floods and never reads', workspaces: 1, start: floodFromSmsc },
  { name: 'hanging webhook endpoints', workspaces: 21, start: hangEndpoints },
  { name: 'scheduled messages', workspaces: 1, start: scheduleMessages },
  { name: 'bulk messages', workspaces: 1, start: queueBulk },
  { name: 'sockets', workspaces: 1, start: openSockets },
];

/** Exports contacts with as many different field names as the service accepts. */
async function exportContacts({ environment, url, busy }: NeighborContext) {
  const { http } = environment;
  const { apiKey: token } = busy;
  for (let n = 0; n < IMPORTS; n += 1) {
    const contacts = Array.from({ length: CONTACTS_PER_IMPORT }, (_, index) => {
      const id = n * CONTACTS_PER_IMPORT + index;
      const names = Array.from({ length: FIELDS }, (_field, f) => [`field ${id} ${f}`, 'value']);
      const number = `+1202555${String(id).padStart(4, '0')}`;
      return { number, fields: Object.fromEntries(names) as object };
    });
    const body = { contacts, existing: 'keep' };
    const request = { method: 'POST', token, body } as const;
    const { status, text } = await http.send(`${url}/api/contacts/import`, request);
    // Fewer than wanted, if there is a quota.
    if (status >= 500) throw new Error(`The API responded with ${text}`);
    if (status >= 300) break;
  }
  return repeat(async () => {
    await http.callText(`${url}/api/contacts/export.csv`, { token });
  });
}

/** Connects a carrier that accepts a bind, sends PDUs without an end and reads nothing. */
async function floodFromSmsc({ environment, url, busy }: NeighborContext) {
  const { workspaceId } = busy;
  const post = <Body>(path: string, token: string, body: object) =>
    environment.http.call<Body>(url + path, { method: 'POST', token, body });
  const port = await environment.startProgram('flood', {}).receive<number>();
  const login = { system_id: 'flood', password: 'secret' };
  const account = { type: 'smpp', credentials: { host: '127.0.0.1', port, tls: false, ...login } };
  const root = `/api/ui/workspaces/${workspaceId}`;
  const { id } = await post<{ id: string }>(`${root}/providers`, busy.sessionToken, account);
  const from = '+15005550099';
  await post(`${root}/numbers`, busy.sessionToken, { number: from, provider_id: id });
  await delay(3_000);
  return repeat(async () => {
    await post('/api/messages', busy.apiKey, { to: '+12025550188', from, body: 'Hello' });
    await delay(200);
  });
}

/** Creates webhook endpoints that accept connections and never answer. */
async function hangEndpoints({ environment, url, busy, others, short }: NeighborContext) {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  const hanging = await listen(server);
  environment.onClose(() => hanging.close());
  const used = [busy, ...others].slice(0, short ? 6 : 21);
  for (const { apiKey } of used) {
    for (let n = 0; n < ENDPOINTS_PER_WORKSPACE; n += 1) {
      const body = { url: `${hanging.url}/${n}`, event_types: null };
      const request = { method: 'POST', token: apiKey, body } as const;
      await environment.http.call(`${url}/api/webhook-endpoints`, request);
    }
  }
  const sendToAll = async (): Promise<void> => {
    for (const { apiKey } of used) await sendLater(environment, url, apiKey);
    await delay(500);
  };
  await sendToAll();
  return repeat(sendToAll);
}

/** Schedules messages that are all due at the same time. */
async function scheduleMessages({ environment, busy, short }: NeighborContext) {
  const [count, secondsAhead] = short ? [30_000, 40] : [300_000, 240];
  const scheduledAt = new Date(Date.now() + secondsAhead * 1_000);
  await queueBacklog({ ...environment, workspace: busy, count, scheduledAt });
  await delay(Math.max(0, scheduledAt.getTime() - Date.now()));
  return async () => undefined;
}

async function queueBulk({ environment, busy, short }: NeighborContext) {
  await queueBacklog({ ...environment, workspace: busy, count: short ? 20_000 : 100_000 });
  return async () => undefined;
}

/** Opens sockets that all receive the events of a workspace that sends. */
async function openSockets({ environment, url, busy: { apiKey }, short }: NeighborContext) {
  const plan = { url, apiKeys: [apiKey], count: short ? 1_000 : 5_000 };
  await environment.startProgram('sockets', plan).receive();
  return repeat(async () => {
    await sendLater(environment, url, apiKey);
    await delay(500);
  });
}

/** Scheduled messages cause one event and no other work. */
const sendLater = ({ sendMessage }: BenchEnvironment, url: string, apiKey: string) =>
  sendMessage(url, apiKey, 'Hello', new Date(Date.now() + SCHEDULED_MS));
