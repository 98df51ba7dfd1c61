import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ChildProcess,
  type TestDatabase,
  TEST_SECRET_KEY,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  runCommand,
  startApi,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

const NEW = `2:${randomBytes(32).toString('base64')}`;
const BOTH = `${NEW},1:${TEST_SECRET_KEY}`;
const SEND_EVERY_MS = 100;
const SET_CREDENTIALS_EVERY_MS = 200;

let database: TestDatabase;
let client: pg.Client;
let simulator: ChildProcess;
let workspace: WorkspaceFixture;
/** The APIs that receive requests, as behind a proxy. */
let serving: ChildProcess[] = [];
let children: ChildProcess[] = [];
/** How many requests each API has not answered yet. */
const unanswered = new Map<ChildProcess, number>();

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  simulator = await startSimulator();
  workspace = await createWorkspaceFixture(database.url);
});
afterEach(async () => {
  for (const child of children) await child.kill();
  await simulator.stop();
  await client.end();
  await database.drop();
  [serving, children] = [[], []];
});

async function start(kind: 'api' | 'worker', secretKey: string): Promise<ChildProcess> {
  const child = await (kind === 'api' ? startApi : startWorker)({
    DATABASE_URL: database.url,
    SECRET_KEY: secretKey,
    TWILIO_API_URL: simulator.url,
    RATE_LIMIT_MESSAGING: 'none',
    RATE_LIMIT_UI: 'none',
    SWEEP_MS: '200',
    // Callbacks reach no API of this test, so the worker reads the status from the carrier.
    POLL_MS: '500,1000,2000,4000,8000',
  });
  children.push(child);
  if (kind === 'api') serving.push(child);
  return child;
}

async function retire(child: ChildProcess): Promise<void> {
  serving = serving.filter((other) => other !== child);
  await expect.poll(() => unanswered.get(child) ?? 0, { timeout: 60_000 }).toBe(0);
  await child.stop();
}

const rotate = (secretKey: string) =>
  runCommand('rotate-secrets', {
    env: { DATABASE_URL: database.url, SECRET_KEY: secretKey },
    timeoutMs: 90_000,
  });

function count(api: ChildProcess, change: number): void {
  unanswered.set(api, (unanswered.get(api) ?? 0) + change);
}

/** Sends messages and saves the same credentials again, through one API after another, until stopped. */
function startLoad() {
  let accepted = 0;
  let turn = 0;
  let isStopped = false;

  async function request(method: string, where: string, token: string, body: object) {
    const api = serving[(turn += 1) % serving.length];
    if (api === undefined) throw new Error('no API serves requests');
    count(api, 1);
    const response = await fetch(`${api.url}${where}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    }).finally(() => count(api, -1));
    const text = await response.text();
    // An overloaded API may refuse a request without storing anything.
    if (response.status >= 300 && response.status !== 503)
      throw new Error(`${method} ${where}: ${text}`);
    return response.status;
  }
  async function send(): Promise<void> {
    const message = { to: '+14155550100', body: 'Hello' };
    if ((await request('POST', '/api/messages', workspace.apiKey, message)) === 201) accepted += 1;
  }
  const setCredentials = () =>
    request('PUT', `/api/ui/workspaces/${workspace.workspaceId}/provider`, workspace.sessionToken, {
      type: 'twilio',
      account_sid: workspace.accountSid,
      auth_token: workspace.authToken,
    });

  async function repeat(run: () => Promise<unknown>, everyMs: number): Promise<void> {
    while (!isStopped) {
      await run();
      await delay(everyMs);
    }
  }
  const done = Promise.all([
    repeat(send, SEND_EVERY_MS),
    repeat(setCredentials, SET_CREDENTIALS_EVERY_MS),
  ]);
  // The error is thrown when the test stops the load.
  done.catch(() => undefined);
  return {
    /** Returns the number of accepted messages. */
    async stop(): Promise<number> {
      isStopped = true;
      await done;
      return accepted;
    },
  };
}

test(
  'no message fails because of its key while SECRET_KEY is rotated under load, and rotate-secrets refuses to run before every process has the new key',
  // Starting six processes one after another takes half a minute each on a busy machine.
  { timeout: 600_000 },
  async () => {
    const oldApi = await start('api', TEST_SECRET_KEY);
    const oldWorker = await start('worker', TEST_SECRET_KEY);
    const load = startLoad();

    // One API has the new key, and the others have only the old one.
    const api = await start('api', BOTH);
    await delay(1_500);
    const early = await rotate(BOTH);
    expect(early.code).toBe(1);
    for (const { pid } of [oldApi, oldWorker]) {
      expect(early.stderr).toMatch(new RegExp(`process ${pid} on \\S+: lacks the key`));
    }
    expect(early.stderr).not.toContain(`process ${api.pid} `);

    await retire(oldApi);
    const worker = await start('worker', BOTH);
    expect((await rotate(BOTH)).stderr).toContain(`process ${oldWorker.pid} `);
    await retire(oldWorker);
    expect(await rotate(BOTH)).toMatchObject({ code: 0, stderr: '' });
    await delay(1_500);

    // From here on no process has the old key.
    await start('api', NEW);
    await retire(api);
    await start('worker', NEW);
    await retire(worker);
    await delay(1_500);
    const accepted = await load.stop();

    expect(accepted).toBeGreaterThan(50);
    await expect
      .poll(
        async () =>
          (await client.query(`SELECT FROM messages WHERE status = 'delivered'`)).rowCount,
        { timeout: 120_000 },
      )
      .toBe(accepted);
    const refused = await client.query(
      `SELECT detail FROM message_events WHERE detail LIKE '%decrypt%'`,
    );
    expect(refused.rows).toEqual([]);
    const sealed = await client.query<{ version: string }>(
      `SELECT split_part(sealed_secret, '.', 1) AS version FROM provider_accounts`,
    );
    expect(sealed.rows).toEqual([{ version: 'v2' }]);
  },
);
