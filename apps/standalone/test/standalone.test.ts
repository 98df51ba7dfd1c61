import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isPortFree } from '@switchboard/embedded-postgres';
import type { ChildProcess } from '@switchboard/testing';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  chooseEnvironment,
  pidOf,
  readDemo,
  startInTerminal,
  startStandalone,
  startStandaloneBelowShell,
  stopAll,
} from './standalone-process.ts';

// A start takes three seconds, and many times that on a machine where every core is taken.
vi.setConfig({ testTimeout: 120_000 });

// One data folder for the file: each test starts where the one before has left it.
let dataDir: string;
let env: Record<string, string>;

beforeAll(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'switchboard-standalone-')), 'data');
  env = await chooseEnvironment(dataDir);
});

afterEach(async () => {
  // Only where a test has failed is one still running.
  await stopAll();
});

afterAll(async () => {
  await rm(join(dataDir, '..'), { recursive: true });
});

async function getStatus(id: string): Promise<unknown> {
  const { base_url, api_key } = await readDemo(dataDir);
  const answer = await fetch(`${base_url}/api/messages/${id}`, {
    headers: { authorization: `Bearer ${api_key}`, connection: 'close' },
  });
  return ((await answer.json()) as { status: unknown }).status;
}

/** What the service answers to a message that the demo number receives. */
async function writeToDemo(body: string): Promise<unknown> {
  const { simulator_url, from: to } = await readDemo(dataDir);
  const answer = await fetch(`${simulator_url}/simulator/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ to, from: '+15558675310', body }),
  });
  return ((await answer.json()) as { status?: unknown }).status;
}

async function interrupt(standalone: ChildProcess): Promise<void> {
  standalone.signal('SIGINT');
  expect(await standalone.exited).toEqual({ code: 0, signal: null });
  await expectNothingLeft();
}

/** No process of ours: neither one that listens, nor PostgreSQL, nor a child written down. */
async function expectNothingLeft(): Promise<void> {
  expect(await isPortFree(Number(env['PORT']))).toBe(true);
  expect(await isPortFree(Number(env['SIMULATOR_PORT']))).toBe(true);
  await expect(stat(join(dataDir, 'postgres/cluster/postmaster.pid'))).rejects.toThrow('ENOENT');
  await expect(stat(join(dataDir, 'children'))).rejects.toThrow('ENOENT');
  await expect(stat(join(dataDir, 'owner'))).rejects.toThrow('ENOENT');
}

/** Does what curl would do with its arguments as the shell hands them over; not all have curl. */
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

/** The first line that the command prints; then it is ended. */
async function readFirstEvent(line: string): Promise<unknown> {
  const watcher = spawn('sh', ['-c', `exec ${line}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(watcher, 'close');
  try {
    const [first] = await once(watcher.stdout, 'data', { signal: AbortSignal.timeout(5_000) });
    return JSON.parse(String(first));
  } finally {
    watcher.kill();
    await closed;
  }
}

let messageId: string;

test('the first start prints what works: its curl line sends, its WebSocket line watches', async () => {
  const standalone = await startStandalone(env);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);

  await expect.poll(() => standalone.logs.join('\n'), EVENTUALLY).toContain('Ctrl-C');
  const printed = (text: string) => standalone.logs.find((line) => line.includes(text)) ?? '';
  const answer = await runCurl(printed('curl '));
  expect(answer.status).toBe(201);
  messageId = ((await answer.json()) as { id: string }).id;
  await expect.poll(() => getStatus(messageId), { timeout: 10_000 }).toBe('delivered');
  expect(await readFirstEvent(printed('node '))).toMatchObject({ type: 'ready' });
  expect(await writeToDemo('On the first start')).toBe(200);
  await interrupt(standalone);
});

test('the second start has the same credentials and the same messages', async () => {
  const before = await readFile(join(dataDir, 'demo.json'), 'utf8');
  const standalone = await startStandalone(env);
  expect(await readFile(join(dataDir, 'demo.json'), 'utf8')).toBe(before);
  expect(await getStatus(messageId)).toBe('delivered');
  expect(await writeToDemo('On the second start')).toBe(200);
  await interrupt(standalone);
});

test('a taken port is one sentence, and nothing is started', async () => {
  const squatter = createServer().listen(Number(env['PORT']), '127.0.0.1');
  await once(squatter, 'listening');
  await expect(startStandalone(env)).rejects.toThrow(
    `ended before it was ready, with code 1. Its last lines:\nPort ${env['PORT']} on 127.0.0.1 is taken: stop what uses it, or set PORT to another.`,
  );
  squatter.close();
  await once(squatter, 'close');
  await expectNothingLeft();
});

test('a second one on the same data folder is refused; a killed child ends everything', async () => {
  const standalone = await startStandalone(env);
  await expect(startStandalone(await chooseEnvironment(dataDir))).rejects.toThrow(
    `Switchboard is already running on ${dataDir} (process ${standalone.pid})`,
  );

  process.kill(await pidOf(standalone, 'worker'), 'SIGKILL');
  expect((await standalone.exited).code).toBe(1);
  expect(standalone.logs.join('\n')).toContain('worker ended with signal SIGKILL');
  await expectNothingLeft();
});

test('after a kill -9 of all but PostgreSQL the next start recovers, at once and on the same ports', async () => {
  const killed = await startStandalone(env);
  process.kill(await pidOf(killed, 'api'), 'SIGSTOP'); // it can't end by itself: it must be ended
  await killed.kill();
  const standalone = await startStandalone(env);
  expect(await getStatus(messageId)).toBe('delivered');
  await interrupt(standalone);
});

test('when npm, which ran it, is killed, all of it ends', async () => {
  const shell = await startStandaloneBelowShell(env);
  await shell.kill(); // waits until nobody holds its output any more
  expect(shell.logs.at(-1)).toBe('Stopped.');
  await expectNothingLeft();
});

test('Ctrl-C during the start stops what has been started', async () => {
  const standalone = await startStandalone(env, 'simulator |');
  await interrupt(standalone);
  expect(standalone.logs.join('\n')).not.toContain('Switchboard is ready');
});

test('Ctrl-C in a terminal ends npm start in order, although npm forwards a second SIGINT', async () => {
  const terminal = await startInTerminal(env);
  await expect.poll(() => terminal.logs.join('\n'), EVENTUALLY).toContain('Ctrl-C stops all of it');
  terminal.type('\u0003');
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
  const afterCtrlC = terminal.logs.slice(terminal.logs.findIndex((line) => line.includes('^C')));
  const ours = afterCtrlC.filter((line) => /^(Stopping|Stopped|\w+ ended)/.test(line.trim()));
  expect(ours.map((line) => line.trim())).toEqual(['Stopping (SIGINT) …', 'Stopped.']);
  await expectNothingLeft();
});

test('a second Ctrl-C, two seconds after the first, kills a child that hangs', async () => {
  const standalone = await startStandalone(env);
  const hung = await pidOf(standalone, 'worker');
  process.kill(hung, 'SIGSTOP');
  standalone.signal('SIGINT');
  await expect.poll(() => standalone.logs.join('\n'), EVENTUALLY).toContain('Stopping');
  standalone.signal('SIGINT'); // npm's copy
  await delay(2_100);
  expect(await identifyProcess(hung)).not.toBe(null);
  standalone.signal('SIGINT');
  expect((await standalone.exited).code).toBe(1);
  expect(await identifyProcess(hung)).toBe(null);
  await expectNothingLeft();
});
