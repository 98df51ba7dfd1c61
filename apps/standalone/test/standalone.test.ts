import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isPortFree } from '@switchboard/embedded-postgres';
import { EVENTUALLY, type ChildProcess } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  chooseEnvironment,
  pidOf,
  readDemo,
  startInTerminal,
  startStandalone,
  startStandaloneInShell,
  stopAll,
} from './standalone-process.ts';

// The tests share a data folder and processes: each continues where the previous one ended.
let dataDir: string;
let env: Record<string, string>;
let standalone: ChildProcess;

beforeAll(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'switchboard-standalone-')), 'data');
  env = await chooseEnvironment(dataDir);
});

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await stopAll();
});

afterAll(async () => {
  await stopAll();
  await rm(join(dataDir, '..'), { recursive: true });
});

async function getStatus(id: string): Promise<unknown> {
  const { base_url, api_key } = await readDemo(dataDir);
  const response = await fetch(`${base_url}/api/messages/${id}`, {
    headers: { authorization: `Bearer ${api_key}`, connection: 'close' },
  });
  return ((await response.json()) as { status: unknown }).status;
}

/** Sends a message to the demo number. Returns the status of the webhook response. */
async function writeToDemo(body: string): Promise<unknown> {
  const { simulator_url, from: to } = await readDemo(dataDir);
  const response = await fetch(`${simulator_url}/simulator/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ to, from: '+15558675310', body }),
  });
  return ((await response.json()) as { status?: unknown }).status;
}

async function interrupt(): Promise<void> {
  standalone.signal('SIGINT');
  expect(await standalone.exited).toEqual({ code: 0, signal: null });
  await expectNothingLeft();
}

/** Expects that no process listens, no PostgreSQL runs and no child process is recorded. */
async function expectNothingLeft(): Promise<void> {
  expect(await isPortFree(Number(env['PORT']))).toBe(true);
  expect(await isPortFree(Number(env['SIMULATOR_PORT']))).toBe(true);
  await expect(stat(join(dataDir, 'postgres/cluster/postmaster.pid'))).rejects.toThrow('ENOENT');
  await expect(stat(join(dataDir, 'children'))).rejects.toThrow('ENOENT');
  await expect(stat(join(dataDir, 'owner'))).rejects.toThrow('ENOENT');
}

/** Sends the request of a curl command, with the arguments as the shell expands them. */
async function runCurl(line: string): Promise<Response> {
  const shell = `curl() { for argument; do printf '%s\\n' "$argument"; done; }; ${line}`;
  const args = execFileSync('sh', ['-c', shell], { encoding: 'utf8' }).trim().split('\n');
  const [url, h1, authorization, h2, contentType, d, body] = args;
  expect([h1, h2, d]).toEqual(['-H', '-H', '-d']);
  const headers = [authorization, contentType, 'Connection: close'].map(
    (header) => header?.split(': ', 2) as [string, string],
  );
  return fetch(url ?? '', { method: 'POST', headers, body: body ?? '' });
}

/** Runs a command until it prints its first line, and returns the line. */
async function readFirstEvent(line: string): Promise<unknown> {
  const watcher = spawn('sh', ['-c', `exec ${line}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(watcher, 'close');
  try {
    const [first] = await once(watcher.stdout, 'data', { signal: AbortSignal.timeout(60_000) });
    return JSON.parse(String(first));
  } finally {
    watcher.kill();
    await closed;
  }
}

let messageId: string;

test('the curl and WebSocket commands that the first start prints work', async () => {
  standalone = await startStandalone(env);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);

  await expect.poll(() => standalone.logs.join('\n'), EVENTUALLY).toContain('Ctrl-C');
  const printed = (text: string) => standalone.logs.find((line) => line.includes(text)) ?? '';
  const response = await runCurl(printed('curl '));
  expect(response.status).toBe(201);
  messageId = ((await response.json()) as { id: string }).id;
  await expect.poll(() => getStatus(messageId), EVENTUALLY).toBe('delivered');
  expect(await readFirstEvent(printed('node '))).toMatchObject({ type: 'ready' });
  expect(await writeToDemo('On the first start')).toBe(200);
  const { provider_urls } = await readDemo(dataDir);
  const statuses = await Promise.all(
    [`${provider_urls['telnyx']}/v2/messages`, `${provider_urls['vonage']}/v1/messages`].map(
      async (url) =>
        (await fetch(url, { method: 'POST', headers: { connection: 'close' } })).status,
    ),
  );
  expect(statuses).toEqual([401, 401]);
  expect(provider_urls['smpp']).toMatch(/^smpp:\/\/127\.0\.0\.1:\d+$/);
});

test('a second Ctrl-C, two seconds after the first, kills a child that hangs', async () => {
  const hung = await pidOf(standalone, 'worker');
  process.kill(hung, 'SIGSTOP');
  standalone.signal('SIGINT');
  standalone.signal('SIGINT'); // npm's copy
  await expect.poll(() => standalone.logs.join('\n'), EVENTUALLY).toContain('Stopping');
  await delay(2_100);
  expect(await identifyProcess(hung)).not.toBe(null);
  standalone.signal('SIGINT');
  expect((await standalone.exited).code).toBe(1);
  expect(await identifyProcess(hung)).toBe(null);
  await expectNothingLeft();
});

test('a start after a kill -9 of everything but PostgreSQL keeps the credentials, the messages and the ports', async () => {
  const before = await readFile(join(dataDir, 'demo.json'), 'utf8');
  const killed = await startStandalone(env);
  process.kill(await pidOf(killed, 'api'), 'SIGSTOP'); // so that it cannot stop on its own
  await killed.kill();
  standalone = await startStandalone(env);
  expect(await readFile(join(dataDir, 'demo.json'), 'utf8')).toBe(before);
  expect(await getStatus(messageId)).toBe('delivered');
  expect(await writeToDemo('On a later start')).toBe(200);
});

const output = (): string => standalone.logs.join('\n');

/** Sends a message and waits until it is delivered, which needs every process. */
async function sendThroughAll(): Promise<void> {
  const { base_url, api_key } = await readDemo(dataDir);
  const response = await fetch(`${base_url}/api/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api_key}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({ to: '+15558675310', body: 'Hello' }),
  });
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: string };
  await expect.poll(() => getStatus(id), EVENTUALLY).toBe('delivered');
}

test.each(['simulator', 'worker', 'api'])(
  'npm start restarts a killed %s, reports it, and the service continues',
  async (name) => {
    process.kill(await pidOf(standalone, name), 'SIGKILL');
    await expect.poll(output, EVENTUALLY).toContain(`${name} is running again.`);
    expect(output()).toMatch(
      new RegExp(`${name} ended with signal SIGKILL.* Restarting it in 1 s \\(restart 1 of 8\\)`),
    );
    await sendThroughAll();
  },
);

// At SIGTERM, PostgreSQL waits for its clients unless it is asked not to.
test.each([
  ['SIGKILL', 'SIGKILL'],
  ['SIGTERM', 'exit code 0'],
] as const)(
  'npm start starts PostgreSQL again after %s, and the API answers with 503 until then',
  async (signal, end) => {
    const again = () => output().split('PostgreSQL is running again.').length;
    const before = again();
    const { base_url, api_key } = await readDemo(dataDir);
    const [pid] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split(
      '\n',
    );
    process.kill(Number(pid), signal);
    const seen: number[] = [];
    await expect
      .poll(async () => {
        const response = await fetch(`${base_url}/api/messages`, {
          headers: { authorization: `Bearer ${api_key}`, connection: 'close' },
        });
        seen.push(response.status);
        return again();
      }, EVENTUALLY)
      .toBe(before + 1);
    expect(seen).toContain(503);
    expect(seen.filter((status) => status !== 503 && status !== 200)).toEqual([]);
    expect(output()).toMatch(
      new RegExp(`PostgreSQL ended with ${end}\\. Its log is in .* Restarting it in \\d s`),
    );
    await expect.poll(() => getStatus(messageId), EVENTUALLY).toBe('delivered');
    await sendThroughAll();
  },
);

test('a second start on the same data folder is refused, and the first one stops on SIGINT', async () => {
  await expect(startStandalone(await chooseEnvironment(dataDir))).rejects.toThrow(
    `Switchboard is already running on ${dataDir} (process ${standalone.pid})`,
  );
  await interrupt();
});

test('npm start refuses a port that is in use, in one sentence that names the setting', async () => {
  const squatter = createServer().listen(Number(env['PORT']), '127.0.0.1');
  await once(squatter, 'listening');
  await expect(startStandalone(env)).rejects.toThrow(
    `ended before it was ready, with code 1. Its last lines:\nPort ${env['PORT']} on 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another port.`,
  );
  squatter.close();
  await once(squatter, 'close');
  await expectNothingLeft();
});

test('all processes stop when npm, their parent, is killed', async () => {
  const shell = await startStandaloneInShell(env);
  await shell.kill(); // waits until all processes have closed its output
  expect(shell.logs.at(-1)).toBe('Stopped.');
  await expectNothingLeft();
});

test('after a kill -9 of npm start, a hung process and PostgreSQL also end, and the data is kept', async () => {
  const killed = await startStandalone(env);
  const hung = await pidOf(killed, 'worker');
  process.kill(hung, 'SIGSTOP');
  await killed.kill();
  await expect.poll(() => identifyProcess(hung), EVENTUALLY).toBe(null);
  const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid');
  // A graceful end removes the file.
  await expect.poll(() => stat(pidFile).catch(() => null), EVENTUALLY).toBe(null);
  expect(await isPortFree(Number(env['PORT']))).toBe(true);
});

test('Ctrl-C during the start stops the processes that have been started', async () => {
  standalone = await startStandalone(env, 'simulator |');
  await interrupt();
  expect(standalone.logs.join('\n')).not.toContain('Switchboard is ready');
});

test('Ctrl-C in a terminal stops npm start cleanly, although npm forwards a second SIGINT', async () => {
  const terminal = await startInTerminal(env);
  await expect
    .poll(() => terminal.logs.join('\n'), EVENTUALLY)
    .toContain('Ctrl-C stops Switchboard');
  terminal.type('\u0003');
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
  const afterCtrlC = terminal.logs.slice(terminal.logs.findIndex((line) => line.includes('^C')));
  const ours = afterCtrlC.filter((line) => /^(Stopping|Stopped|\w+ ended)/.test(line.trim()));
  expect(ours.map((line) => line.trim())).toEqual(['Stopping (SIGINT) …', 'Stopped.']);
  await expectNothingLeft();
});
