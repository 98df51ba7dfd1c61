import {
  EVENTUALLY,
  type ChildProcess,
  type TestDatabase,
  createTestDatabase,
  createWorkspaceFixture,
  runCommand,
  startApi,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask } from './start-service.ts';

// Two installations in one database, whose defaults are those of another product.
const DEFAULTS = [
  `datestyle TO 'German, DMY'`,
  `intervalstyle TO 'sql_standard'`,
  `timezone TO 'America/St_Johns'`,
  `bytea_output TO 'escape'`,
  `array_nulls TO off`,
  `standard_conforming_strings TO off`,
  `default_transaction_isolation TO 'serializable'`,
  `search_path TO elsewhere`,
];
const TO = '+15558670001';

interface Installation {
  url: string;
  api: ChildProcess;
  worker: ChildProcess;
  apiKey: string;
}

let database: TestDatabase;
let simulator: ChildProcess;
const installations: Installation[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  simulator = await startSimulator();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const name = client.escapeIdentifier(new URL(database.url).pathname.slice(1));
  for (const setting of DEFAULTS) await client.query(`ALTER DATABASE ${name} SET ${setting}`);
  await client.query(`CREATE SCHEMA elsewhere`);
  await client.end();

  for (const query of ['', '?schema=second']) {
    const url = database.url + query;
    const { code, stderr } = await runCommand('migrate', { env: { DATABASE_URL: url } });
    if (code !== 0) throw new Error(stderr);
    const env = { DATABASE_URL: url, TWILIO_API_URL: simulator.url };
    const api = await startApi(env);
    const worker = await startWorker({ ...env, PUBLIC_URL: api.url });
    const { apiKey } = await createWorkspaceFixture(url);
    installations.push({ url, api, worker, apiKey });
  }
});
afterAll(async () => {
  for (const { api, worker } of installations) {
    await worker.stop();
    await api.stop();
  }
  await simulator.stop();
  await database.drop();
});

test('two installations in one database, whatever its defaults, deliver their own messages and list no others', async () => {
  const before = Date.now();
  for (const [index, { api, apiKey }] of installations.entries()) {
    const sent = await ask(api.url, '/api/messages', {
      token: apiKey,
      json: { to: TO, body: `It's \\ number ${index}` },
    });
    expect(sent).toMatchObject({ status: 201 });
  }
  for (const [index, { api, apiKey }] of installations.entries()) {
    await vi.waitFor(async () => {
      const listed = await ask(api.url, '/api/messages', { token: apiKey });
      expect(listed).toMatchObject({
        status: 200,
        json: {
          messages: [{ body: `It's \\ number ${index}`, status: 'delivered' }],
          pagination: { totalMessages: 1 },
        },
      });
      const { messages } = listed.json as { messages: { created_at: string }[] };
      const createdAt = Date.parse(messages[0]?.created_at ?? '');
      expect(Math.abs(createdAt - before)).toBeLessThan(EVENTUALLY.timeout * 2);
    }, EVENTUALLY);
  }
});

test('an API key of one installation is unknown to the other installation of the database', async () => {
  const [first, second] = installations;
  const { status } = await ask(second?.api.url ?? '', '/api/messages', {
    token: first?.apiKey ?? '',
  });
  expect(status).toBe(401);
});
