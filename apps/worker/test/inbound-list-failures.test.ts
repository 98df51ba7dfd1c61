import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@switchboard/embedded-postgres';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, startInboundEnvironment } from './start-inbound-environment.ts';
import { startProxy } from './start-proxy.ts';

let environment: Awaited<ReturnType<typeof startInboundEnvironment>>;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  environment = await startInboundEnvironment((end) => ends.push(end));
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Three numbers of one account, each with a lost message. */
async function connectThree() {
  const account = await environment.addWorkspace();
  const numbers = await Promise.all([1, 2, 3].map(() => environment.connect(HOUR_MS, account)));
  for (const { receive } of numbers) await receive('lost', 2 * MINUTE_MS);
  return { account, numbers };
}

const toPattern = (number: string) => new RegExp(`Messages\\.json.*To=%2B${number.slice(1)}`);

test('a number whose list cannot be read does not block the other numbers of its account', async () => {
  const { numbers } = await connectThree();
  const proxy = await startProxy(environment.simulator.url);
  // Numbers that were never read are read in the order of their ids.
  const [bad, ...good] = numbers.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  proxy.refuse(toPattern(bad?.number ?? ''));
  await environment.startWorker({ TWILIO_API_URL: proxy.url });
  for (const { bodies } of good) await expect.poll(bodies, EVENTUALLY).toEqual(['lost']);
  expect(proxy.refused()).toBeGreaterThan(0);
  expect(await bad?.bodies()).toEqual([]);
});

test('refused credentials are recorded by the turn that cannot read a list', async () => {
  const { workspaceId, makeDue } = await environment.connect(HOUR_MS);
  await environment.setToken(workspaceId, 'a token that the provider refuses');
  await environment.sql(
    `UPDATE provider_accounts SET verified_credentials = sealed_secret
     WHERE workspace_id = $1`,
    [workspaceId],
  );
  await makeDue();
  await environment.startWorker();
  const refused = () =>
    environment.sql(
      `SELECT 1 FROM provider_accounts
       WHERE workspace_id = $1 AND refused_since IS NOT NULL`,
      [workspaceId],
    );
  await expect.poll(refused, EVENTUALLY).toHaveLength(1);
});

test('the cursor is 30 s before the time at which the turn listed the number, however long the page takes', async () => {
  const { number, cursor, receive } = await environment.connect(HOUR_MS);
  await receive('lost', 2 * MINUTE_MS);
  const proxy = await startProxy(environment.simulator.url);
  let requestedAt = 0;
  proxy.replaceResponses(async (path) => {
    if (!toPattern(number).test(path)) return null;
    requestedAt = Date.now();
    await delay(3_000);
    return null;
  });
  await environment.startWorker({ TWILIO_API_URL: proxy.url });
  await expect.poll(cursor, EVENTUALLY).not.toBeNull();
  const behindMs = requestedAt - ((await cursor())?.getTime() ?? 0);
  // The database and this process have the same clock here.
  expect(behindMs).toBeGreaterThanOrEqual(30_000);
});

test('messages that a number receives while its webhooks go to another workspace or service are never imported', async () => {
  const account = await environment.addWorkspace();
  const moved = await environment.connect(HOUR_MS, account);
  const kept = await environment.connect(HOUR_MS, account);
  await moved.sendTo('http://127.0.0.1:9/another-workspace');
  await moved.receive('STOP', 10 * MINUTE_MS);
  await kept.receive('lost', 10 * MINUTE_MS);
  await environment.startWorker();
  await expect.poll(kept.bodies, EVENTUALLY).toEqual(['lost']);
  await expect.poll(moved.cursor, EVENTUALLY).not.toBeNull();
  await moved.sendTo(moved.ownUrl);
  await moved.readAgain();
  expect(await moved.bodies()).toEqual([]);
});

test('a number whose inbound messages go to another workspace or to an SMS application is recorded as such until they arrive here again', async () => {
  const { id, ownUrl, sendTo, readAgain } = await environment.connect(HOUR_MS);
  async function readUrl(): Promise<string | null | undefined> {
    const stored = await environment.database.prisma.phoneNumber.findFirst({
      where: { id },
    });
    return stored?.inboundUrl;
  }
  await sendTo(ownUrl.replace('/inbound', '/another'));
  await environment.startWorker();
  await expect.poll(readUrl, EVENTUALLY).toBe('');
  await sendTo(ownUrl);
  await readAgain();
  expect(await readUrl()).toBe(ownUrl);
  await sendTo(ownUrl, `AP${'a'.repeat(32)}`);
  await readAgain();
  expect(await readUrl()).toBe('');
});

/** Makes PostgreSQL refuse messages with this text, until the returned function is called. */
async function refuseText(text: string, sqlState: string): Promise<() => Promise<unknown>> {
  const name = `refuse_${sqlState.toLowerCase()}`;
  await environment.sql(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${sqlState}'; END $$`,
    [],
  );
  await environment.sql(
    `CREATE TRIGGER ${name} BEFORE INSERT ON message_records FOR EACH ROW
     WHEN (NEW.body = '${text}') EXECUTE FUNCTION ${name}()`,
    [],
  );
  return () => environment.sql(`DROP FUNCTION ${name} CASCADE`, []);
}

test('a message that PostgreSQL does not store for a reason other than its data is imported by a later turn', async () => {
  const { receive, bodies, cursor, makeDue } = await environment.connect(HOUR_MS);
  await receive('not permitted', 2 * MINUTE_MS);
  // insufficient_privilege
  const permit = await refuseText('not permitted', '42501');
  const worker = await environment.startWorker();
  const failure = expect.objectContaining({ msg: 'failed to read inbound messages' });
  await expect.poll(() => worker.logs, EVENTUALLY).toContainEqual(failure);
  expect(await cursor()).toBeNull();
  await permit();
  await makeDue();
  await expect.poll(bodies, EVENTUALLY).toEqual(['not permitted']);
});

/** Starts a worker with metrics. */
async function startMeasuredWorker(settings: Record<string, string> = {}) {
  const METRICS_PORT = String(await findFreePort());
  const worker = await environment.startWorker({ ...settings, METRICS_PORT });
  async function readUnreadable(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    return Number(/^switchboard_inbound_unreadable_total (\d+)$/m.exec(text)?.[1]);
  }
  return { ...worker, readUnreadable };
}

test('a message whose data PostgreSQL refuses is logged with its identifier and counted, and the next is imported', async () => {
  const { receive, bodies, cursor } = await environment.connect(HOUR_MS);
  const sid = await receive('bad data', 3 * MINUTE_MS);
  await receive('good', 2 * MINUTE_MS);
  const permit = await refuseText('bad data', '22001');
  onTestFinished(async () => void (await permit()));
  const worker = await startMeasuredWorker();
  await expect.poll(cursor, EVENTUALLY).not.toBeNull();
  expect(await bodies()).toEqual(['good']);
  expect(worker.logs).toContainEqual(
    expect.objectContaining({ msg: 'failed to import inbound messages', provider_sids: [sid] }),
  );
  expect(await worker.readUnreadable()).toBe(1);
});

test('an entry of the list without a sender is logged with its identifier and counted', async () => {
  const { number, accountSid, cursor } = await environment.connect(HOUR_MS);
  const sid = `SM${'4'.repeat(32)}`;
  const proxy = await startProxy(environment.simulator.url);
  const date = new Date(Date.now() - 2 * MINUTE_MS).toUTCString();
  const entry = { sid, direction: 'inbound', to: number, from: null, body: 'Hello' };
  const message = { ...entry, account_sid: accountSid, date_created: date, date_sent: date };
  proxy.replaceResponses(async (path) =>
    toPattern(number).test(path) ? { messages: [message], next_page_uri: null } : null,
  );
  const worker = await startMeasuredWorker({ TWILIO_API_URL: proxy.url });
  await expect.poll(cursor, EVENTUALLY).not.toBeNull();
  expect(worker.logs).toContainEqual(
    expect.objectContaining({ msg: 'failed to import inbound messages', provider_sids: [sid] }),
  );
  expect(await worker.readUnreadable()).toBe(1);
});

test('an account whose credentials cannot be decrypted is logged and held for two turns', async () => {
  const account = await environment.addWorkspace({ sealedFor: randomUUID() });
  await environment.connect(HOUR_MS, account);
  const worker = await environment.startWorker();
  const failure = expect.objectContaining({
    msg: 'cannot read inbound messages: the account cannot be used',
    workspace_id: account.workspaceId,
  });
  await expect.poll(() => worker.logs, EVENTUALLY).toContainEqual(failure);
  const held = () =>
    environment.sql(
      `SELECT 1 FROM provider_accounts
       WHERE workspace_id = $1 AND inbound_check_at > now() + interval '90 seconds'`,
      [account.workspaceId],
    );
  await expect.poll(held, EVENTUALLY).toHaveLength(1);
});
