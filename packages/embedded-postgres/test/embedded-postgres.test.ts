import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@switchboard/embedded-postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { identifyProcess } from '../src/process-identity.ts';

const QUICK = { fsync: 'off', full_page_writes: 'off' };

let dataDir: string;
let running: EmbeddedPostgres | undefined;

async function start(options: { port?: number; settings?: Record<string, string> } = {}) {
  running = await startEmbeddedPostgres({ settings: QUICK, ...options, dataDir });
  return running;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function runs(pid: number): Promise<boolean> {
  return (await identifyProcess(pid)) !== null;
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'switchboard-embedded-')); // 0700
});

afterEach(async () => {
  await running?.stop();
});

afterAll(async () => {
  await rm(dataDir, { recursive: true });
});

test('the first start creates a UTF-8 database with a password in a folder with mode 700', async () => {
  const { url } = await start();
  expect(await query(url, 'SHOW server_encoding')).toEqual(['UTF8']);
  expect(await query(url, "SELECT lower('ÄÖÜ')")).toEqual(['äöü']);
  await expect(query(url.replace(/:[^:@]+@/, ':guessed@'), 'SELECT 1')).rejects.toThrow(/password/);
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'cluster'))).mode & 0o777).toBe(0o700);
});

test('a second start keeps the data, the port and the password', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  expect(await runs(first.pid)).toBe(false);
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([42]);
});

test('PostgreSQL stops while clients are connected, and a second stop has no effect', async () => {
  const { url, pid, stop } = await start();
  const client = new pg.Client(url);
  client.on('error', () => undefined); // the stop closes the connection
  await client.connect();
  await Promise.all([stop(), stop()]);
  expect(await runs(pid)).toBe(false);
});

test('a start chooses another port if the last one is in use, but refuses a configured one', async () => {
  const first = await start();
  await first.stop();
  const otherServer = createServer().listen({ host: '127.0.0.1', port: first.port });
  await once(otherServer, 'listening');
  try {
    const { port } = otherServer.address() as AddressInfo;
    await expect(start({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1`);
    const moved = await start();
    expect(moved.port).not.toBe(port);
    expect(await query(moved.url, 'SELECT 1')).toEqual([1]);
  } finally {
    otherServer.close();
  }
});

test('a data folder in use is refused with the pid of its owner', async () => {
  await start();
  const second = startEmbeddedPostgres({ dataDir });
  await expect(second).rejects.toThrow(`in use by the running process ${process.pid}`);
});

test('after a kill -9 of the owner, the next start stops the surviving PostgreSQL and keeps its data', async () => {
  const owner = fork(join(import.meta.dirname, 'own-forever.mjs'), [dataDir], {
    execArgv: [], // without the options of vitest, which would make it run TypeScript
  });
  const [survivor] = (await once(owner, 'message')) as [{ url: string; pid: number }];
  await query(survivor.url, 'CREATE TABLE survived AS SELECT 1 AS one');
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  expect(await runs(survivor.pid)).toBe(true);

  const { url, pid } = await start();
  expect(await runs(survivor.pid)).toBe(false);
  expect(pid).not.toBe(survivor.pid);
  expect(await query(url, 'SELECT one FROM survived')).toEqual([1]);
});

test('a kill -9 of PostgreSQL is reported to the owner, and the next start recovers', async () => {
  const first = await start({ settings: {} });
  await query(first.url, 'CREATE TABLE recovered AS SELECT 1 AS one');
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toBe('PostgreSQL ended with SIGKILL');
  const second = await start();
  expect(await query(second.url, 'SELECT one FROM recovered')).toEqual([1]);
});

test('an invalid PostgreSQL setting is reported in one sentence, and the folder stays usable', async () => {
  const refused = start({ settings: { shared_buffers: 'plenty' } });
  await expect(refused).rejects.toThrow(
    /^PostgreSQL did not start: invalid value for parameter "shared_buffers": "plenty" \(its log is .+\)\.$/,
  );
  expect(await query((await start()).url, 'SELECT 1')).toEqual([1]);
});

test('PostgreSQL runs in its own process group, so that Ctrl-C reaches only its owner', async () => {
  const { pid } = await start();
  expect(() => process.kill(-pid, 0)).not.toThrow(); // the group exists
});

// This is the path in containers without user namespaces. Only root can test it.
if (process.platform === 'linux' && process.geteuid?.() === 0) {
  test('started by root on a folder of another user, PostgreSQL runs as that user', async () => {
    const before = dataDir;
    dataDir = await mkdtemp(join(before, 'given-'));
    try {
      await chown(dataDir, 65534, 65534);
      const { url, pid } = await start();
      expect(await query(url, 'SELECT 1')).toEqual([1]);
      expect((await stat(`/proc/${pid}`)).uid).toBe(65534);
      expect((await stat(join(dataDir, 'cluster'))).uid).toBe(65534);
      await running?.stop();
    } finally {
      await rm(dataDir, { recursive: true });
      dataDir = before;
    }
  });
}

test('a start leaves neither a lock nor a temporary folder behind', async () => {
  const left = (await readdir(dataDir)).toSorted();
  expect(left).toEqual(['cluster', 'password', 'port', 'postgres.log', 'postgres.log.1']);
});
