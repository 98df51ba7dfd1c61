import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type PostgresServer,
  createWorkspaceFixture,
  findFaketime,
  findPostgresPrograms,
  findProgramFile,
  startApi,
  startPostgres,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);

interface FakedServer {
  server: PostgresServer;
  /** Restarts PostgreSQL with a clock that is `days` ahead of the machine's. */
  moveTo(days: number): Promise<void>;
}

/** Starts PostgreSQL with a clock that libfaketime sets. Without the library, the test fails and names it. */
async function startFakedServer(): Promise<FakedServer> {
  const library = await findFaketime();
  const { binaries } = await findPostgresPrograms();
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-clock-'));
  const [clock, postgres] = [path.join(folder, 'clock'), path.join(folder, 'postgres')];
  await writeFile(clock, '+0d');
  await writeFile(
    postgres,
    `#!/bin/sh
export LD_PRELOAD='${library}' FAKETIME_TIMESTAMP_FILE='${clock}' FAKETIME_DONT_FAKE_MONOTONIC=1
exec '${binaries.postgres}' "$@"
`,
  );
  await chmod(postgres, 0o755);
  await chmod(folder, 0o755);
  const server = await startPostgres({ binaries: { ...binaries, postgres } });
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    server,
    async moveTo(days) {
      await server.stop();
      await writeFile(clock, `+${days}d`);
      await server.start();
    },
  };
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Runs the built command, as the nightly timer does. */
async function retention(url: string): Promise<string> {
  const env = { DATABASE_URL: url, MESSAGE_RETENTION_DAYS: '7', EVENT_RETENTION_DAYS: '2' };
  const { stdout } = await run(process.execPath, [findProgramFile('retention')], {
    env,
    timeout: 60_000,
  });
  return stdout;
}

test('retention deletes events and messages on the day when the database’s clock reaches their limit, not before', async () => {
  const { server, moveTo } = await startFakedServer();
  const { url } = server;
  const workspace = await createWorkspaceFixture(url);
  const simulator = await startSimulator();
  onTestFinished(() => simulator.stop());
  const env = { DATABASE_URL: url, TWILIO_API_URL: simulator.url };
  const api = await startApi(env);
  onTestFinished(() => api.stop());
  const worker = await startWorker({ ...env, PUBLIC_URL: api.url });
  onTestFinished(() => worker.stop());

  const sendEach = [{}, { scheduled_at: new Date(Date.now() + 30 * 86_400_000).toISOString() }];
  for (const fields of sendEach) {
    const response = await fetch(`${api.url}/api/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: '+14155550123', body: 'Hello', ...fields }),
    });
    expect(response.status).toBe(201);
  }
  const statuses = async () =>
    (await query<{ status: string }>(url, 'SELECT status::text FROM messages ORDER BY status')).map(
      ({ status }) => status,
    );
  const countEvents = async () =>
    (
      await query<{ n: number }>(
        url,
        `SELECT count(*)::int AS n FROM message_events e JOIN messages m ON m.id = e.message_id
         WHERE m.status = 'delivered'`,
      )
    )[0]?.n;
  await expect.poll(statuses, { timeout: 60_000 }).toEqual(['delivered', 'scheduled']);
  await Promise.all([api.stop(), worker.stop()]);

  await moveTo(1);
  expect(await retention(url)).toMatch(/: 0 deleted[^]*: 0 deleted/);
  expect(await countEvents()).toBeGreaterThan(2);

  await moveTo(3);
  expect(await retention(url)).toMatch(/: [1-9]\d* deleted[^]*: 0 deleted/);
  expect(await countEvents()).toBe(0);
  await moveTo(6);
  expect(await retention(url)).toMatch(/^Messages .*: 0 deleted/m);
  expect(await statuses()).toEqual(['delivered', 'scheduled']);

  await moveTo(8);
  expect(await retention(url)).toMatch(/^Messages .*: 1 deleted/m);
  // Unsent messages are kept at any age.
  expect(await statuses()).toEqual(['scheduled']);
});
