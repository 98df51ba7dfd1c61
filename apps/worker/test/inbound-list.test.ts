import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, startInboundEnvironment } from './start-inbound-environment.ts';
import { startProxy } from './start-proxy.ts';

const DAY_MS = 24 * HOUR_MS;

let environment: Awaited<ReturnType<typeof startInboundEnvironment>>;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  environment = await startInboundEnvironment((end) => ends.push(end));
});
afterAll(async () => {
  for (const end of ends) await end();
});

test('a STOP whose webhook was lost is stored once with its event and opt-out, and the next send is refused', async () => {
  const { workspaceId, receive, readStored, readAgain, accept } =
    await environment.connect(HOUR_MS);
  const sid = await receive('STOP', 2 * MINUTE_MS);
  const worker = await environment.startWorker();
  await expect.poll(readStored, EVENTUALLY).toHaveLength(1);
  const [message] = await readStored();
  expect(message?.provider_sid).toBe(sid);
  expect(Date.now() - (message?.created_at.getTime() ?? 0)).toBeGreaterThan(2 * MINUTE_MS - 2_000);
  expect(await environment.events(message?.id ?? '')).toEqual(['received']);
  expect(await accept('Hello')).toMatchObject({ refusal: 'recipient_opted_out' });
  await readAgain();
  expect(await readStored()).toHaveLength(1);
  expect(worker.logs).toContainEqual(
    expect.objectContaining({
      msg: 'inbound messages imported from the provider list',
      workspace_id: workspaceId,
      imported: 1,
    }),
  );
});

test('messages from before the number was connected, older than 7 days or from the last 30 s are not read from the list', async () => {
  const young = await environment.connect(10 * MINUTE_MS);
  await young.receive('history', 20 * MINUTE_MS);
  await young.receive('lost', 5 * MINUTE_MS);
  const old = await environment.connect(30 * DAY_MS);
  await old.receive('too old', 8 * DAY_MS);
  await old.receive('six days old', 6 * DAY_MS);
  await young.receive('on its way', 0);
  await environment.startWorker();
  await expect.poll(young.cursor, EVENTUALLY).not.toBeNull();
  await expect.poll(old.cursor, EVENTUALLY).not.toBeNull();
  expect(await young.bodies()).toEqual(['lost']);
  expect(await old.bodies()).toEqual(['six days old']);
});

test('a message from the list has the same media as in its webhook', async () => {
  const { receive, readStored } = await environment.connect(HOUR_MS);
  const picture = `${environment.simulator.url}/simulator/media/cat.png`;
  const sid = await receive('Look', 2 * MINUTE_MS, { media_urls: [picture, picture] });
  await environment.startWorker();
  await expect.poll(readStored, EVENTUALLY).toHaveLength(1);
  const [{ media } = { media: [] }] = await readStored();
  const path = `/Messages/${sid}/Media/ME`;
  expect(media).toEqual([
    { url: expect.stringContaining(path), content_type: 'image/png' },
    { url: expect.stringContaining(path), content_type: 'image/png' },
  ]);
});

test('a keyword from the list gets no reply, because the provider may already have replied', async () => {
  const { workspaceId, receive, bodies } = await environment.connect(HOUR_MS);
  await receive('HELP', 2 * MINUTE_MS);
  await receive('STOP', MINUTE_MS);
  await environment.startWorker();
  await expect.poll(bodies, EVENTUALLY).toEqual(['HELP', 'STOP']);
  const replies = await environment.sql(
    `SELECT 1 FROM messages WHERE workspace_id = $1 AND direction = 'outbound'`,
    [workspaceId],
  );
  expect(replies).toEqual([]);
});

test('two workers that find the same messages store each once', async () => {
  const { receive, readStored, makeDue } = await environment.connect(HOUR_MS);
  await Promise.all(Array.from({ length: 60 }, (_, n) => receive(`${n}`, 2 * MINUTE_MS + n)));
  await Promise.all([environment.startWorker(), environment.startWorker()]);
  // The second worker takes over the turn of the first.
  await makeDue();
  await expect.poll(readStored, EVENTUALLY).toHaveLength(60);
  const sids = (await readStored()).map((row) => row.provider_sid);
  expect(new Set(sids).size).toBe(60);
});

test('when a page of the list fails, the messages that were read are stored, and the next turn reads the rest', async () => {
  const { receive, readStored, cursor, readAgain } = await environment.connect(HOUR_MS);
  for (let batch = 0; batch < 10; batch += 1) {
    const texts = Array.from({ length: 25 }, (_, n) => `${batch * 25 + n}`);
    await Promise.all(texts.map((text) => receive(text, 2 * MINUTE_MS + batch)));
  }
  const proxy = await startProxy(environment.simulator.url);
  proxy.refuse(/PageToken=/);
  await environment.startWorker({ TWILIO_API_URL: proxy.url });
  await expect.poll(readStored, { timeout: 60_000 }).toHaveLength(200);
  await expect.poll(() => proxy.refused(), EVENTUALLY).toBeGreaterThan(0);
  expect(await cursor()).toBeNull();
  proxy.refuse(null);
  await readAgain();
  expect(new Set((await readStored()).map((row) => row.body)).size).toBe(250);
  expect(await readStored()).toHaveLength(250);
});

test('the list of an account is not read while its credentials are refused or its circuit breaker is open', async () => {
  const { workspaceId, receive, bodies, readAgain } = await environment.connect(HOUR_MS);
  await receive('lost', 2 * MINUTE_MS);
  const pause = (state: string) =>
    environment.sql(
      `UPDATE provider_accounts SET ${state}, inbound_check_at = NULL,
         probe_at = now() + interval '1 hour' WHERE workspace_id = $1`,
      [workspaceId],
    );
  await pause('refused_since = now()');
  const other = await environment.connect(HOUR_MS);
  await environment.startWorker();
  await other.readAgain();
  await pause('refused_since = NULL, failing_since = now()');
  await other.readAgain();
  expect(await bodies()).toEqual([]);
  await pause('failing_since = NULL');
  await readAgain();
  expect(await bodies()).toEqual(['lost']);
});

test('messages that were received after a backup are read from the list again once the backup is restored', async () => {
  const { workspaceId, receive, readStored, readAgain } = await environment.connect(DAY_MS);
  await environment.sql(
    `UPDATE phone_numbers SET inbound_read_until = now() - interval '3 hours'
     WHERE workspace_id = $1`,
    [workspaceId],
  );
  const rows = await environment.sql<{ row: object }>(
    'SELECT to_jsonb(n) AS row FROM phone_numbers n WHERE workspace_id = $1',
    [workspaceId],
  );
  const sid = await receive('STOP', 2 * HOUR_MS);
  const before = await environment.startWorker();
  await expect.poll(readStored, EVENTUALLY).toHaveLength(1);
  await before.stop();
  // The rows as in the backup: without the message, and with the cursor of that time.
  await environment.sql('DELETE FROM message_records WHERE workspace_id = $1', [workspaceId]);
  await environment.sql('DELETE FROM opt_outs WHERE workspace_id = $1', [workspaceId]);
  await environment.sql(
    `UPDATE phone_numbers n
     SET inbound_read_until = (jsonb_populate_record(n, $2::jsonb)).inbound_read_until
     WHERE workspace_id = $1`,
    [workspaceId, rows[0]?.row],
  );
  await environment.startWorker();
  await readAgain();
  expect((await readStored()).map((row) => row.provider_sid)).toEqual([sid]);
  expect(
    await environment.sql('SELECT 1 FROM opt_outs WHERE workspace_id = $1', [workspaceId]),
  ).toHaveLength(1);
});
