import { randomInt } from 'node:crypto';
import { createPhoneNumberStore } from '@switchboard/database';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { LONG_TIMEOUTS, startBench } from './start-bench.ts';
import { startProxy } from './start-proxy.ts';

// An account that has been read is due again after at most 5 s when a test says so.
vi.setConfig({ testTimeout: 60_000 });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let bench: Awaited<ReturnType<typeof startBench>>;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  bench = await startBench({}, (end) => ends.push(end));
  // The provider's tries for a webhook are over before the service is back.
  await bench.behave({ inbound_drop: 1 });
});
afterAll(async () => {
  for (const end of ends) await end();
});

interface Stored {
  id: string;
  body: string;
  media: { url: string; content_type: string }[];
  created_at: Date;
  provider_sid: string;
}

/** A worker that ends with the test, so that no other test finds its list read. */
async function startWorker(settings: Record<string, string> = {}) {
  const worker = await bench.startWorker({ ...LONG_TIMEOUTS, ...settings });
  onTestFinished(worker.stop);
  return worker;
}

/** A workspace with a number that the provider has sent to us for `connectedMs`. */
async function connect(connectedMs: number) {
  const { workspaceId, accountSid } = await bench.addWorkspace();
  const number = `+1555${randomInt(1_000_000, 9_999_999)}`;
  const from = `+1628${randomInt(1_000_000, 9_999_999)}`;
  const numbers = createPhoneNumberStore(bench.database);
  const id = workspaceId;
  const added = { id, number, label: '', capabilities: ['sms'], createdAt: new Date() };
  await numbers.create(workspaceId, added);
  const list = `${bench.simulator.url}/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers`;
  const headers = { authorization: `Basic ${btoa(`${accountSid}:token of ${accountSid}`)}` };
  const found = await fetch(`${list}.json?PhoneNumber=${encodeURIComponent(number)}`, { headers });
  const [{ sid }] = ((await found.json()) as { incoming_phone_numbers: [{ sid: string }] })
    .incoming_phone_numbers;
  const SmsUrl = 'http://127.0.0.1:9/inbound';
  const body = new URLSearchParams({ SmsUrl });
  await fetch(`${list}/${sid}.json`, { method: 'POST', headers, body });
  await numbers.recordInbound({ workspaceId, id, account: accountSid }, SmsUrl);
  await sql(
    `UPDATE phone_numbers SET inbound_since = now() - $2::float8 * interval '1 millisecond'
     WHERE workspace_id = $1`,
    [workspaceId, connectedMs],
  );

  async function receive(text: string, agoMs: number, more: object = {}): Promise<string> {
    const answer = await fetch(`${bench.simulator.url}/simulator/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ to: number, from, body: text, received_ago_ms: agoMs, ...more }),
    });
    return ((await answer.json()) as { sid: string }).sid;
  }
  const readStored = () =>
    sql<Stored>(
      `SELECT * FROM messages WHERE workspace_id = $1 AND direction = 'inbound' ORDER BY id`,
      [workspaceId],
    );
  const bodies = async () => (await readStored()).map((row) => row.body);
  /** When the list was last read to its end. */
  async function cursor(): Promise<Date | null> {
    const rows = await sql<{ at: Date | null }>(
      'SELECT inbound_read_until AS at FROM phone_numbers WHERE workspace_id = $1',
      [workspaceId],
    );
    return rows[0]?.at ?? null;
  }
  /** Has the list read again, and waits until it is. */
  async function readAgain(): Promise<void> {
    const before = await cursor();
    await makeDue();
    await expect.poll(cursor, EVENTUALLY).not.toEqual(before);
  }
  const makeDue = () =>
    sql('UPDATE provider_configurations SET inbound_check_at = NULL WHERE workspace_id = $1', [
      workspaceId,
    ]);
  const accept = (body_: string) =>
    bench.store.accept({
      id: crypto.randomUUID(),
      createdAt: new Date(),
      workspaceId,
      to: from,
      from: number,
      body: body_,
      media: [],
      segments: 1,
      scheduledAt: null,
      requestId: 'r',
      isHeldToRules: true,
      idempotency: null,
    });
  return { workspaceId, receive, readStored, bodies, cursor, readAgain, makeDue, accept, from };
}

async function sql<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  return (await bench.database.pool.query<Row>(text, values)).rows;
}

test('a STOP whose webhook the provider gave up is stored once with its event and opt-out, and the next send is refused', async () => {
  const { workspaceId, receive, readStored, readAgain, accept } = await connect(HOUR_MS);
  const sid = await receive('STOP', 2 * MINUTE_MS);
  const worker = await startWorker();
  await expect.poll(readStored, EVENTUALLY).toHaveLength(1);
  const [message] = await readStored();
  expect(message?.provider_sid).toBe(sid);
  expect(Date.now() - (message?.created_at.getTime() ?? 0)).toBeGreaterThan(2 * MINUTE_MS - 2_000);
  expect(await bench.events(message?.id ?? '')).toEqual(['received']);
  expect(await accept('Hello')).toMatchObject({ refusal: 'recipient_opted_out' });
  await readAgain();
  expect(await readStored()).toHaveLength(1);
  expect(worker.logs).toContainEqual(
    expect.objectContaining({
      msg: 'found inbound messages without a webhook',
      workspace_id: workspaceId,
      found: 1,
    }),
  );
});

test('messages from before the number was connected, from more than 7 days ago and of the last 30 s are not read from the list', async () => {
  const young = await connect(10 * MINUTE_MS);
  await young.receive('history', 20 * MINUTE_MS);
  await young.receive('lost', 5 * MINUTE_MS);
  await young.receive('on its way', 5_000);
  const old = await connect(30 * DAY_MS);
  await old.receive('too old', 8 * DAY_MS);
  await old.receive('six days old', 6 * DAY_MS);
  await startWorker();
  await expect.poll(young.cursor, EVENTUALLY).not.toBeNull();
  await expect.poll(old.cursor, EVENTUALLY).not.toBeNull();
  expect(await young.bodies()).toEqual(['lost']);
  expect(await old.bodies()).toEqual(['six days old']);
});

test('a number that a previous release has connected is read from the first look on', async () => {
  const { workspaceId, receive, bodies, cursor, readAgain } = await connect(0);
  await sql('UPDATE phone_numbers SET inbound_since = NULL WHERE workspace_id = $1', [workspaceId]);
  await receive('history', 2 * MINUTE_MS);
  await startWorker();
  const since = () =>
    sql('SELECT 1 FROM phone_numbers WHERE workspace_id = $1 AND inbound_since IS NOT NULL', [
      workspaceId,
    ]);
  await expect.poll(since, EVENTUALLY).toHaveLength(1);
  expect(await cursor()).toBeNull();
  await sql(
    `UPDATE phone_numbers SET inbound_since = now() - interval '1 minute' WHERE workspace_id = $1`,
    [workspaceId],
  );
  await readAgain();
  expect(await bodies()).toEqual([]);
});

test('the media of a found message are those that its webhook would have named', async () => {
  const { receive, readStored } = await connect(HOUR_MS);
  const picture = `${bench.simulator.url}/simulator/media/cat.png`;
  const sid = await receive('Look', 2 * MINUTE_MS, { media_urls: [picture, picture] });
  await startWorker();
  await expect.poll(readStored, EVENTUALLY).toHaveLength(1);
  const [{ media } = { media: [] }] = await readStored();
  const path = `/Messages/${sid}/Media/ME`;
  expect(media).toEqual([
    { url: expect.stringContaining(path), content_type: 'image/png' },
    { url: expect.stringContaining(path), content_type: 'image/png' },
  ]);
});

test('a HELP is replied to if it is found within 15 minutes, and only stored if it is found later', async () => {
  const prompt = await connect(HOUR_MS);
  const late = await connect(HOUR_MS);
  await prompt.receive('HELP', 2 * MINUTE_MS);
  await late.receive('HELP', 20 * MINUTE_MS);
  await startWorker();
  await expect.poll(prompt.bodies, EVENTUALLY).toEqual(['HELP']);
  await expect.poll(late.bodies, EVENTUALLY).toEqual(['HELP']);
  const replies = ({ workspaceId }: { workspaceId: string }) =>
    sql(`SELECT 1 FROM messages WHERE workspace_id = $1 AND direction = 'outbound'`, [workspaceId]);
  expect(await replies(prompt)).toHaveLength(1);
  expect(await replies(late)).toHaveLength(0);
});

test('two workers that find the same messages store each once', async () => {
  const { receive, readStored, makeDue } = await connect(HOUR_MS);
  await Promise.all(Array.from({ length: 60 }, (_, n) => receive(`${n}`, 2 * MINUTE_MS + n)));
  await Promise.all([startWorker(), startWorker()]);
  // A turn that is taken from the one who has it.
  await makeDue();
  await expect.poll(readStored, EVENTUALLY).toHaveLength(60);
  const sids = (await readStored()).map((row) => row.provider_sid);
  expect(new Set(sids).size).toBe(60);
});

test('when a page of the list fails, the cursor stays, what was read is stored, and the next turn reads the rest', async () => {
  const { receive, readStored, cursor, readAgain } = await connect(HOUR_MS);
  for (let batch = 0; batch < 10; batch += 1) {
    const texts = Array.from({ length: 25 }, (_, n) => `${batch * 25 + n}`);
    await Promise.all(texts.map((text) => receive(text, 2 * MINUTE_MS + batch)));
  }
  const proxy = await startProxy(bench.simulator.url);
  proxy.refuse(/PageToken=/);
  await startWorker({ TWILIO_API_URL: proxy.url });
  await expect.poll(readStored, EVENTUALLY).toHaveLength(200);
  await expect.poll(() => proxy.refused(), EVENTUALLY).toBeGreaterThan(0);
  expect(await cursor()).toBeNull();
  proxy.refuse(null);
  await readAgain();
  expect(new Set((await readStored()).map((row) => row.body)).size).toBe(250);
  expect(await readStored()).toHaveLength(250);
});

test('the list of an account is not read while its credentials are refused or its circuit breaker is open', async () => {
  const { workspaceId, receive, bodies, readAgain } = await connect(HOUR_MS);
  await receive('lost', 2 * MINUTE_MS);
  const pause = (state: string) =>
    sql(
      `UPDATE provider_configurations SET ${state}, inbound_check_at = NULL,
         probe_at = now() + interval '1 hour' WHERE workspace_id = $1`,
      [workspaceId],
    );
  await pause('refused_since = now()');
  const other = await connect(HOUR_MS);
  await startWorker();
  await other.readAgain();
  await pause('refused_since = NULL, failing_since = now()');
  await other.readAgain();
  expect(await bodies()).toEqual([]);
  await pause('failing_since = NULL');
  await readAgain();
  expect(await bodies()).toEqual(['lost']);
});

test('what was received after a backup is read from the list again once the backup is restored', async () => {
  const { workspaceId, receive, readStored, readAgain } = await connect(DAY_MS);
  await sql(
    `UPDATE phone_numbers SET inbound_read_until = now() - interval '3 hours'
     WHERE workspace_id = $1`,
    [workspaceId],
  );
  const rows = await sql<{ row: object }>(
    'SELECT to_jsonb(n) AS row FROM phone_numbers n WHERE workspace_id = $1',
    [workspaceId],
  );
  const sid = await receive('STOP', 2 * HOUR_MS);
  await startWorker();
  await expect.poll(readStored, EVENTUALLY).toHaveLength(1);
  await readAgain();
  // The rows as the backup has them: without the message, and with the cursor of its time.
  await sql('DELETE FROM messages WHERE workspace_id = $1', [workspaceId]);
  await sql('DELETE FROM opt_outs WHERE workspace_id = $1', [workspaceId]);
  await sql(
    `UPDATE phone_numbers n
     SET inbound_read_until = (jsonb_populate_record(n, $2::jsonb)).inbound_read_until
     WHERE workspace_id = $1`,
    [workspaceId, rows[0]?.row],
  );
  await readAgain();
  expect((await readStored()).map((row) => row.provider_sid)).toEqual([sid]);
  expect(await sql('SELECT 1 FROM opt_outs WHERE workspace_id = $1', [workspaceId])).toHaveLength(
    1,
  );
});
