import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { EVENTUALLY, findProgramFile } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSimulator } from '../src/app.ts';
import { startReceiver } from './start-receiver.ts';
import {
  setBehaviour,
  createClient,
  FROM,
  makeAccountSid,
  makeDataDir,
  readLedger,
  startSimulator,
} from './start-simulator.ts';

const MAIN = findProgramFile('simulator');
const TO = '+15551230001';

/** Starts the built program as a child process with an IPC channel. */
async function startProcess(dataDir: string, port = '0', wrapper: string[] = []) {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, SIMULATOR_PORT: port };
  const [command, ...args] = [...wrapper, process.execPath, MAIN];
  const child = spawn(command ?? '', args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  if (child.stdout === null || child.stderr === null) throw new Error('The process has no output');
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (output.stdout += text));
  child.stderr.on('data', (text) => (output.stderr += text));
  // 'exit', because 'close' is not emitted after this side has disconnected the channel.
  const exited = Promise.all([
    once(child, 'exit'),
    once(child.stdout, 'close'),
    once(child.stderr, 'close'),
  ]).then(([[code, signal]]) => ({ code, signal }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const ready = once(child, 'message').then(
    ([message]) => message as { type: string; url: string },
  );
  const gone = exited.then(() => null);
  return { child, output, exited, ready: await Promise.race([ready, gone]) };
}

const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d+$/;

test('the simulator reports its address on its output and to its parent, and exits on SIGTERM', async () => {
  const { child, output, ready, exited } = await startProcess(await makeDataDir());
  expect(ready).toEqual({
    type: 'ready',
    url: expect.stringMatching(LOOPBACK),
    providerUrls: {
      twilio: expect.stringMatching(LOOPBACK),
      telnyx: expect.stringMatching(LOOPBACK),
      vonage: expect.stringMatching(LOOPBACK),
      http: expect.stringMatching(LOOPBACK),
      smpp: expect.stringMatching(/^smpp:\/\/127\.0\.0\.1:\d+$/),
    },
  });
  const { url } = ready ?? { url: '' };
  child.kill('SIGTERM');
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(output).toEqual({ stdout: `Carrier simulator listening on ${url}\n`, stderr: '' });
});

test('a request that hangs on purpose does not delay the shutdown of the simulator', async () => {
  const { child, ready, exited } = await startProcess(await makeDataDir());
  const client = createClient(ready?.url ?? '', makeAccountSid(), 'token');
  const hanging = client.messages
    .create({ to: '+15005550023', from: FROM, body: 'x' })
    .catch((cause: unknown) => cause);
  await vi.waitFor(
    async () => expect(await readLedger(ready?.url ?? '')).toHaveLength(1),
    EVENTUALLY,
  );
  child.kill('SIGINT');
  expect(await exited).toEqual({ code: 0, signal: null });
  expect(await hanging).toMatchObject({ code: 'ECONNRESET' });
});

test('the simulator reports a port in use in one sentence on stderr and exits with code 1', async () => {
  const { url } = await startSimulator();
  const { output, exited } = await startProcess(await makeDataDir(), new URL(url).port);
  expect(await exited).toEqual({ code: 1, signal: null });
  expect(output.stdout).toBe('');
  expect(output.stderr).toMatch(/^The carrier simulator can't start: its port is in use .*\n$/);
});

test('the simulator reports an invalid setting in one sentence on stderr and exits with code 1', async () => {
  const { output, exited } = await startProcess(await makeDataDir(), 'x');
  expect(await exited).toEqual({ code: 1, signal: null });
  expect(output.stderr).toMatch(/^The carrier simulator can't start: SIMULATOR_PORT .*\n$/);
});

test('the simulator exits when its parent process has exited', async () => {
  const { child, exited } = await startProcess(await makeDataDir());
  child.disconnect();
  expect(await exited).toEqual({ code: 0, signal: null });
});

test('the ledger has every confirmed message, and no other, after a kill -9 of the simulator under load', async () => {
  const dataDir = await makeDataDir();
  const accountSid = makeAccountSid();
  const first = await startProcess(dataDir);
  const client = createClient(first.ready?.url ?? '', accountSid, 'token');
  const answered: string[] = [];
  const sendUntilKilled = async (sender: number): Promise<void> => {
    for (let i = 0; ; i += 1) {
      try {
        const { sid } = await client.messages.create({
          to: TO,
          from: FROM,
          body: `${sender}-${i}`,
        });
        answered.push(sid);
      } catch {
        return;
      }
    }
  };
  const senders = Promise.all(Array.from({ length: 10 }, (_, i) => sendUntilKilled(i)));
  await vi.waitFor(() => expect(answered.length).toBeGreaterThan(200), { timeout: 60_000 });
  first.child.kill('SIGKILL');
  await senders;

  const second = await startProcess(dataDir);
  const url = second.ready?.url ?? '';
  const ledger = await readLedger(url);
  const sids = new Set(ledger.map(({ sid }) => sid));
  expect(answered.filter((sid) => !sids.has(sid))).toEqual([]);
  expect(sids.size).toBe(ledger.length);
  expect(ledger.length - answered.length).toBeLessThanOrEqual(10);
  expect(new Set(ledger.map(({ body }) => body)).size).toBe(ledger.length);
  const listed = await createClient(url, accountSid, 'token').messages.list({ pageSize: 1000 });
  expect(new Set(listed.map(({ sid }) => sid))).toEqual(sids);
});

test('the simulator refuses messages with 500 while its disk is full, and the ledger has only accepted ones', async () => {
  const dataDir = await makeDataDir();
  // Limits files to 8 blocks. Ignoring SIGXFSZ turns the signal into a write error.
  const { ready, child, exited } = await startProcess(dataDir, '0', [
    'sh',
    '-c',
    'trap "" XFSZ; ulimit -f 8; exec "$0" "$@"',
  ]);
  const client = createClient(ready?.url ?? '', makeAccountSid(), 'token');
  const answered: string[] = [];
  const refused: unknown[] = [];
  let hasRecovered = false;
  for (let i = 0; i < 20; i += 1) {
    const body = i % 2 === 0 ? 'x'.repeat(1600) : 'x';
    await client.messages.create({ to: '+15005550014', from: FROM, body }).then(
      ({ sid }) => {
        answered.push(sid);
        hasRecovered ||= refused.length > 0;
      },
      (cause: unknown) => refused.push(cause),
    );
  }
  // A short message still fits after the incomplete write of a long one was removed.
  expect(hasRecovered).toBe(true);
  for (const cause of refused) expect(cause).toMatchObject({ status: 500, code: 20500 });
  expect((await client.messages.list()).map(({ sid }) => sid)).toEqual(answered.toReversed());
  child.kill('SIGKILL');
  await exited;
  const second = await startSimulator({
    dataDir: `${dataDir}/simulator`,
    accountSid: '',
    token: '',
  });
  expect((await readLedger(second.url)).map(({ sid }) => sid)).toEqual(answered);
});

test('a message in progress at a restart is delivered, with the remaining status callbacks', async () => {
  const receiver = await startReceiver();
  const first = await startSimulator();
  // No callback of the first run may arrive after its end.
  await setBehaviour(first.url, { callback_drop: 1 });
  const { sid } = await first.client.messages.create({
    to: TO,
    from: FROM,
    body: 'x',
    statusCallback: receiver.url,
  });
  await first.close();
  // Truncates the journal to the acceptance, as after a kill at that moment, and removes the fault.
  const path = `${first.dataDir}/journal.ndjson`;
  const lines = (await readFile(path, 'utf8')).split('\n');
  const kept = lines.filter((line) => !/^\{"type":"(status|behaviour)"/.test(line));
  await writeFile(path, kept.join('\n'));

  const { client } = await startSimulator(first);
  await receiver.waitFor(2);
  expect(receiver.statuses()).toEqual(['sent', 'delivered']);
  expect((await client.messages(sid).fetch()).status).toBe('delivered');
});

test('final statuses, redactions and the behavior survive a restart', async () => {
  const first = await startSimulator();
  const send = (to: string) => first.client.messages.create({ to, from: FROM, body: 'text' });
  const delivered = await send(TO);
  const failed = await send('+15005550011');
  const canceled = await first.client.messages.create({
    to: TO,
    messagingServiceSid: `MG${'c'.repeat(32)}`,
    body: 'text',
    scheduleType: 'fixed',
    sendAt: new Date(Date.now() + 3_600_000),
  });
  await first.client.messages(canceled.sid).update({ status: 'canceled' });
  const statusOf = async ({ sid }: { sid: string }) =>
    (await first.client.messages(sid).fetch()).status;
  await expect.poll(() => statusOf(failed), EVENTUALLY).toBe('undelivered');
  await expect.poll(() => statusOf(delivered), EVENTUALLY).toBe('delivered');
  await first.client.messages(delivered.sid).update({ body: '' });
  await setBehaviour(first.url, { reject_429: 1 });
  const before = await first.client.messages.list();
  const ledger = await readLedger(first.url);
  await first.close();

  const { client, url } = await startSimulator(first);
  const plain = (messages: typeof before) => messages.map((message) => message.toJSON());
  expect(plain(await client.messages.list())).toEqual(plain(before));
  expect(await readLedger(url)).toEqual(ledger);
  expect(await (await fetch(`${url}/simulator/behaviour`)).json()).toMatchObject({ reject_429: 1 });
});

test('an incomplete last line of the journal is dropped, and new lines replace it', async () => {
  const first = await startSimulator();
  await first.client.messages.create({ to: TO, from: FROM, body: 'one' });
  await first.close();
  const path = `${first.dataDir}/journal.ndjson`;
  await appendFile(path, '{"type":"message","message":{"sid":"SM');
  const second = await startSimulator(first);
  await second.client.messages.create({ to: TO, from: FROM, body: 'two' });
  await second.close();
  const { url } = await startSimulator(first);
  expect((await readLedger(url)).map(({ body }) => body)).toEqual(['one', 'two']);
});

test('a damaged journal prevents the start with an error that names it, and is not changed', async () => {
  const dataDir = await makeDataDir();
  const path = `${dataDir}/journal.ndjson`;
  await writeFile(path, 'not json\n');
  expect(() => createSimulator({ dataDir })).toThrow(path);
  expect(await readFile(path, 'utf8')).toBe('not json\n');
});

test('a ledger with many lines is streamed completely and in order', async () => {
  const { client, url } = await startSimulator();
  const body = 'é'.repeat(1600);
  for (let batch = 0; batch < 5; batch += 1) {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        client.messages.create({ to: `+1555000${1000 + batch * 20 + i}`, from: FROM, body }),
      ),
    );
  }
  const ledger = await readLedger(url);
  expect(ledger).toHaveLength(100);
  expect(ledger.every((line) => line.body === body)).toBe(true);
  const times = ledger.map((line) => line.accepted_at);
  expect(times).toEqual(times.toSorted());
});
