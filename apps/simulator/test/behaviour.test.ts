import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { startReceiver } from './start-receiver.ts';
import { setBehaviour, createClient, FROM, readLedger, startSimulator } from './start-simulator.ts';

const TO = '+15551230001';
const MESSAGE = { to: TO, from: FROM, body: 'x' };

test('PUT /simulator/behaviour merges changes into the behavior, and DELETE /simulator/ledger resets it', async () => {
  const { url } = await startSimulator();
  await setBehaviour(url, { seed: 7, reject_429: 0.5 });
  const answer = await setBehaviour(url, { latency_ms: 20 });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ seed: 7, reject_429: 0.5, latency_ms: 20 });
  await fetch(`${url}/simulator/ledger`, { method: 'DELETE' });
  const now = await (await fetch(`${url}/simulator/behaviour`)).json();
  expect(now).toMatchObject({ seed: 1, reject_429: 0, latency_ms: 0 });
});

test.each([
  ['reject_429', 1.1],
  ['callback_drop', -0.1],
  ['accept_then_500', '1'],
  ['latency_ms', -1],
  ['accept_late_ms', 1.5],
  ['callback_delay_ms', 1e12],
  ['seed', 'abc'],
  ['status_delay_ms', 10],
  ['constructor', 1],
])(
  'the simulator refuses the behavior %s: %s with a 400 that names the field, and changes nothing',
  async (field, value) => {
    const { url } = await startSimulator();
    const answer = await setBehaviour(url, { reject_500: 1, [field]: value });
    expect(answer.status).toBe(400);
    const body = (await answer.json()) as { detail: string };
    expect(body).toMatchObject({ error: 'invalid_params', field });
    expect(body.detail).toContain(field);
    expect(await (await fetch(`${url}/simulator/behaviour`)).json()).toMatchObject({
      reject_500: 0,
    });
  },
);

test.each([
  ['reject_429', { status: 429, code: 20429 }, 0],
  ['reject_500', { status: 500, code: 20500 }, 0],
  ['accept_then_500', { status: 500, code: 20500 }, 1],
  ['accept_then_reset', { code: 'ECONNRESET' }, 1],
  ['accept_then_hang', { code: 'ECONNABORTED' }, 1],
])(
  'a request with the fault %s fails with %o and leaves %i messages in the ledger',
  async (fault, error, accepted) => {
    const { url, accountSid, token, client } = await startSimulator();
    // Only a request that hangs may reach its timeout.
    const sender =
      fault === 'accept_then_hang' ? createClient(url, accountSid, token, 5_000) : client;
    await setBehaviour(url, { [fault]: 1 });
    await expect(sender.messages.create(MESSAGE)).rejects.toMatchObject(error);
    expect(await readLedger(url)).toHaveLength(accepted);
    await setBehaviour(url, { [fault]: 0 });
    expect(await client.messages.list()).toHaveLength(accepted);
  },
);

test('accept_late_ms accepts a hanging request after the delay, and the message is invisible until then', async () => {
  const { url, accountSid, token } = await startSimulator();
  const client = createClient(url, accountSid, token, 3_000);
  await setBehaviour(url, { accept_then_hang: 1, accept_late_ms: 13_000 });
  const startedAt = Date.now();
  await expect(client.messages.create(MESSAGE)).rejects.toMatchObject({ code: 'ECONNABORTED' });
  const reader = createClient(url, accountSid, token);
  expect(await readLedger(url)).toEqual([]);
  expect(await reader.messages.list({ to: TO })).toEqual([]);
  await vi.waitFor(async () => expect(await readLedger(url)).toHaveLength(1), {
    ...EVENTUALLY,
    interval: 20,
  });
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(13_000);
  expect(await reader.messages.list({ to: TO })).toHaveLength(1);
});

test('latency_ms delays the response, not the acceptance', async () => {
  const { url, client } = await startSimulator();
  await setBehaviour(url, { latency_ms: 10_000 });
  const startedAt = Date.now();
  let isAnswered = false;
  const answer = client.messages.create(MESSAGE).finally(() => (isAnswered = true));
  await vi.waitFor(async () => expect(await readLedger(url)).toHaveLength(1), {
    ...EVENTUALLY,
    interval: 10,
  });
  expect(isAnswered).toBe(false);
  await answer;
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(9_995);
});

/** Sends the messages in the given order. Returns which of them fail. */
async function failuresOf(seed: number, ids: string[]): Promise<Record<string, string>> {
  const { url, client } = await startSimulator();
  await setBehaviour(url, { seed, reject_429: 0.2, reject_500: 0.2, accept_then_500: 0.2 });
  const outcomes: Record<string, string> = {};
  for (const id of ids) {
    const statusCallback = `http://127.0.0.1:9/?message=${id}&attempt=1`;
    outcomes[id] = await client.messages.create({ ...MESSAGE, statusCallback }).then(
      () => 'accepted',
      (cause: unknown) => `${(cause as { code: number }).code}`,
    );
  }
  const recipients = (await readLedger(url)).length;
  return { ...outcomes, recipients: `${recipients}` };
}

test('the same seed gives the same faults in any order of requests, and another seed gives different ones', async () => {
  const ids = Array.from({ length: 40 }, (_, i) => `message-${i}`);
  const forwards = await failuresOf(42, ids);
  const backwards = await failuresOf(42, ids.toReversed());
  expect(backwards).toEqual(forwards);
  expect(new Set(Object.values(forwards)).size).toBeGreaterThan(3);
  expect(await failuresOf(43, ids)).not.toEqual(forwards);
});

test('faults depend on recipient, text and occurrence if the callback URL has no identifier', async () => {
  async function outcomesOf(bodies: string[]): Promise<Record<string, string[]>> {
    // Both runs use the same account, because it is part of the hash.
    const { url, client } = await startSimulator({
      ...(await startSimulator()),
      accountSid: `AC${'1'.repeat(32)}`,
      dataDir: (await startSimulator()).dataDir,
    });
    await setBehaviour(url, { seed: 5, reject_500: 0.5 });
    const outcomes: Record<string, string[]> = {};
    for (const body of bodies) {
      const outcome = await client.messages.create({ ...MESSAGE, body }).then(
        () => 'ok',
        () => 'no',
      );
      (outcomes[body] ??= []).push(outcome);
    }
    return outcomes;
  }
  const bodies = ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'];
  const forwards = await outcomesOf(bodies);
  expect(await outcomesOf(bodies.toReversed())).toEqual(forwards);
  expect(new Set(Object.values(forwards).flat())).toEqual(new Set(['ok', 'no']));
  // The same text may fail in one occurrence and not in the next.
  expect(Object.values(forwards).some((outcomes) => new Set(outcomes).size > 1)).toBe(true);
});

test('callback_drop suppresses status callbacks, and the status of the message still changes', async () => {
  const { url, client } = await startSimulator();
  const receiver = await startReceiver();
  await setBehaviour(url, { callback_drop: 1 });
  const { sid } = await client.messages.create({ ...MESSAGE, statusCallback: receiver.url });
  await vi.waitFor(
    async () => expect((await client.messages(sid).fetch()).status).toBe('delivered'),
    EVENTUALLY,
  );
  await setBehaviour(url, { callback_drop: 0 });
  await client.messages.create({ ...MESSAGE, statusCallback: `${receiver.url}/other` });
  await receiver.waitFor(2);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/other', '/other']);
});

test('callback_duplicate sends each status callback twice with one idempotency token', async () => {
  const { url, client } = await startSimulator();
  const receiver = await startReceiver();
  await setBehaviour(url, { callback_duplicate: 1 });
  await client.messages.create({ ...MESSAGE, statusCallback: receiver.url });
  await receiver.waitFor(4);
  expect(receiver.statuses()).toEqual(['sent', 'sent', 'delivered', 'delivered']);
  const tokens = receiver.received.map(({ headers }) => headers['i-twilio-idempotency-token']);
  expect(tokens[0]).toBe(tokens[1]);
  expect(new Set(tokens).size).toBe(2);
});

test('callback_delay_ms delays status callbacks and keeps their order', async () => {
  const { url, client } = await startSimulator();
  const receiver = await startReceiver();
  await setBehaviour(url, { callback_delay_ms: 300 });
  const startedAt = Date.now();
  await client.messages.create({ ...MESSAGE, statusCallback: receiver.url });
  await receiver.waitFor(2);
  expect((receiver.received[0]?.at ?? 0) - startedAt).toBeGreaterThanOrEqual(355);
  expect(receiver.statuses()).toEqual(['sent', 'delivered']);
});

test('callback_shuffle reorders status callbacks and loses none', async () => {
  const { url, client } = await startSimulator();
  const receiver = await startReceiver();
  await setBehaviour(url, { callback_shuffle: 1 });
  const count = 20;
  for (let i = 0; i < count; i += 1) {
    const statusCallback = `${receiver.url}/?message=m${i}&attempt=1`;
    await client.messages.create({ ...MESSAGE, statusCallback });
  }
  await receiver.waitFor(2 * count);
  const orders = new Map<string, string[]>();
  for (const { form } of receiver.received) {
    const sid = form['MessageSid'] ?? '';
    orders.set(sid, [...(orders.get(sid) ?? []), form['MessageStatus'] ?? '']);
  }
  const inOrder = [...orders.values()].filter(([first]) => first === 'sent').length;
  expect(inOrder).toBeGreaterThan(0);
  expect(inOrder).toBeLessThan(count);
  expect([...orders.values()].every((order) => new Set(order).size === 2)).toBe(true);
});

test('DELETE /simulator/ledger removes messages and pending status callbacks', async () => {
  const { url, client } = await startSimulator();
  const receiver = await startReceiver();
  await setBehaviour(url, { callback_delay_ms: 10_000 });
  const { sid } = await client.messages.create({ ...MESSAGE, statusCallback: receiver.url });
  await vi.waitFor(
    async () => expect((await client.messages(sid).fetch()).status).toBe('delivered'),
    EVENTUALLY,
  );
  await fetch(`${url}/simulator/ledger`, { method: 'DELETE' });
  await setBehaviour(url, { callback_delay_ms: 10_000 });

  expect(await readLedger(url)).toEqual([]);
  expect(await client.messages.list()).toEqual([]);
  await expect(client.messages(sid).fetch()).rejects.toMatchObject({ code: 20404 });
  const after = await client.messages.create({
    ...MESSAGE,
    statusCallback: `${receiver.url}/after`,
  });
  // These callbacks are sent later than the removed ones would have been.
  await receiver.waitFor(2);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/after', '/after']);
  expect(await readLedger(url)).toMatchObject([{ sid: after.sid }]);
});

test('DELETE /simulator/ledger keeps accounts and numbers, even after a restart', async () => {
  const first = await startSimulator();
  await first.client.incomingPhoneNumbers.list({ phoneNumber: '+15557770001' });
  await fetch(`${first.url}/simulator/ledger`, { method: 'DELETE' });
  await first.close();
  const { url, accountSid, client } = await startSimulator(first);
  await expect(createClient(url, accountSid, 'another').messages.list()).rejects.toMatchObject({
    code: 20003,
  });
  expect(await client.incomingPhoneNumbers.list()).toHaveLength(1);
});

test('trial_prefix changes the text in every response, and the ledger keeps the requested text', async () => {
  const { url, client } = await startSimulator();
  await setBehaviour(url, { trial_prefix: 1 });
  const { sid, body, numSegments } = await client.messages.create({
    ...MESSAGE,
    body: 'y'.repeat(150),
  });
  expect(body).toBe(`Sent from your Twilio trial account - ${'y'.repeat(150)}`);
  expect(numSegments).toBe('2');
  expect((await client.messages.list({ to: TO }))[0]).toMatchObject({ sid, body });
  expect(await client.messages(sid).fetch()).toMatchObject({ body });
  expect(await readLedger(url)).toMatchObject([{ body: 'y'.repeat(150) }]);
});

test.each([-60_000, 90_000])(
  'a clock_offset_ms of %i moves the Date header and all dates',
  async (ms) => {
    const { url, client, accountSid, token } = await startSimulator();
    await setBehaviour(url, { clock_offset_ms: ms });
    const { sid, dateCreated } = await client.messages.create(MESSAGE);
    const near = (date: Date | string | null): number =>
      Math.abs(new Date(date ?? '').getTime() - (Date.now() + ms));
    expect(near(dateCreated)).toBeLessThan(30_000);
    const authorization = `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}`;
    const path = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`;
    const answer = await fetch(url + path, { headers: { authorization } });
    expect(near(answer.headers.get('date'))).toBeLessThan(30_000);
    const around = (shift: number) => new Date(Date.now() + ms + shift);
    expect(await client.messages.list({ dateSentAfter: around(-60_000) })).toHaveLength(1);
    expect(await client.messages.list({ dateSentAfter: around(60_000) })).toHaveLength(0);
  },
);

test('html_403_accepted accepts the message and responds with an HTML page', async () => {
  const { url, client } = await startSimulator();
  await setBehaviour(url, { html_403_accepted: 1 });
  await expect(client.messages.create(MESSAGE)).rejects.toThrow();
  expect(await readLedger(url)).toHaveLength(1);
});

test('mismatched_201 accepts the message and responds with the previous one', async () => {
  const { url, client } = await startSimulator();
  await setBehaviour(url, { mismatched_201: 1 });
  const first = await client.messages.create({ ...MESSAGE, body: 'first' });
  expect(first.body).toBe('first');
  const second = await client.messages.create({ ...MESSAGE, body: 'second' });
  expect(second).toMatchObject({ sid: first.sid, body: 'first' });
  expect(await readLedger(url)).toMatchObject([{ body: 'first' }, { body: 'second' }]);
});
