import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulator } from '../start-simulator.ts';
import { createAccount, createAdapter, openSmpp } from './open-smpp.ts';

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let port: number;

beforeAll(async () => {
  simulator = await startSimulator();
  port = Number(new URL(simulator.providerUrls.smpp).port);
});
afterAll(() => simulator.close());

async function control(method: string, path: string, body?: object) {
  const response = await fetch(`${simulator.url}/simulator/${path}`, {
    method,
    headers: { 'content-type': 'application/json', connection: 'close' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
}

async function createCredentials(): Promise<object> {
  const { credentials } = await control('POST', 'accounts', { type: 'smpp' });
  const { system_id, password } = credentials as Record<string, string>;
  return { system_id, password };
}

/** Returns the lines of the ledger about messages to a number. */
async function readLedger(to: string) {
  const response = await fetch(`${simulator.url}/simulator/ledger`, {
    headers: { connection: 'close' },
  });
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as { to: string }).filter((line) => line.to === to);
}

let numbers = 1_000;
const newNumber = () => `+1415555${(numbers += 1)}`;

test.each(['transceiver', 'transmitter_receiver'])(
  'a message that is sent to the simulator as %s is in its ledger once, and its receipt arrives',
  async (bind) => {
    const to = newNumber();
    const credentials = { ...(await createCredentials()), bind };
    const { send, statuses } = await openSmpp(port, { credentials });
    const outcome = await send({ to });
    expect(outcome).toMatchObject({ kind: 'accepted' });
    const sid = outcome.kind === 'accepted' ? outcome.message.sid : '';
    await vi.waitFor(
      () => expect(statuses).toMatchObject([{ sid, status: 'delivered' }]),
      EVENTUALLY,
    );
    expect(await readLedger(to)).toMatchObject([{ sid, body: 'Hello', provider: 'smpp' }]);
  },
);

test.each(['udh', 'payload'])(
  'a long text with every kind of character arrives whole with %s, with one receipt',
  async (long_messages) => {
    const to = newNumber();
    const body = 'Grüße 😀 [€] '.repeat(30);
    const credentials = { ...(await createCredentials()), long_messages };
    const { send, statuses } = await openSmpp(port, { credentials });
    expect(await send({ to, body })).toMatchObject({ kind: 'accepted' });
    await vi.waitFor(() => expect(statuses).toMatchObject([{ status: 'delivered' }]), EVENTUALLY);
    expect(await readLedger(to)).toMatchObject([{ body }]);
  },
);

test.each([
  // The simulator's numbers for an invalid recipient, a region that is not enabled, and no response.
  ['+15005550001', { kind: 'rejected', code: 'ESME_RINVDSTADR' }],
  ['+15005550003', { kind: 'rejected', isAccountOnly: true }],
])('a message to %s has the outcome that matches its refusal', async (to, expected) => {
  const { send } = await openSmpp(port, { credentials: await createCredentials() });
  expect(await send({ to })).toMatchObject(expected);
});

test('a message whose response the simulator loses has an unknown outcome, is in the ledger once, and has a receipt', async () => {
  const credentials = await createCredentials();
  const { send, statuses } = await openSmpp(port, { credentials });
  const to = '+15005550022';
  const before = (await readLedger(to)).length;
  expect(await send({ to })).toMatchObject({ kind: 'unknown' });
  // The receipt arrives over the next connection.
  await vi.waitFor(() => expect(statuses).toMatchObject([{ status: 'delivered' }]), EVENTUALLY);
  expect(await readLedger(to)).toHaveLength(before + 1);
});

test('messages to the numbers of an account arrive over its session, long ones in parts', async () => {
  const from = newNumber();
  const { send, inbound } = await openSmpp(port, { credentials: await createCredentials() });
  // The simulator gives a number to the account that sends with it.
  expect(await send({ from, to: newNumber() })).toMatchObject({ kind: 'accepted' });
  const phone = newNumber();
  for (const body of ['Hi', 'x'.repeat(200)]) {
    expect(await control('POST', 'inbound', { to: from, from: phone, body })).toMatchObject({
      status: 200,
    });
  }
  expect(inbound).toMatchObject([
    { message: { from: phone, to: from, body: 'Hi' }, part: null },
    { part: { total: 2 } },
    { part: { total: 2 } },
  ]);
});

test('verification accepts the password of an account and refuses another one', async () => {
  const adapter = createAdapter();
  const credentials = { ...(await createCredentials()), port };
  expect(await adapter.verifyAccount(createAccount(adapter, credentials))).toMatchObject({
    ok: true,
  });
  const wrong = createAccount(adapter, { ...credentials, password: 'wrong' });
  expect(await adapter.verifyAccount(wrong)).toMatchObject({ ok: false, isRefused: true });
});
