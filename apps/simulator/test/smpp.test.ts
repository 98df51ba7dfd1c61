import { EVENTUALLY } from '@switchboard/testing';
import smpp, { type Pdu } from 'smpp';
import { expect, test, vi } from 'vitest';
import { readInboundLedger, readLedger, setBehaviour } from './start-simulator.ts';
import { FROM, TO, credentialsOf, startSmpp } from './start-smpp.ts';

const WITH_RECEIPT = { registered_delivery: 1 };

function textOf({ short_message: content }: Pdu): string {
  return content?.message ?? '';
}

test('the smpp package binds, sends a message and gets its delivery receipt', async () => {
  const simulator = await startSmpp();
  const account = await simulator.createSmpp();
  const client = await simulator.bind(account);
  expect(await client.send('enquire_link')).toMatchObject({ command: 'enquire_link_resp' });
  const { message_id: id, command_status: status } = await client.submit(WITH_RECEIPT);
  expect(status).toBe(smpp.ESME_ROK);
  await client.waitForDelivered(1);
  expect(client.delivered).toMatchObject([
    {
      esm_class: 4,
      source_addr: TO,
      destination_addr: FROM,
      receipted_message_id: id,
      message_state: 2,
    },
  ]);
  expect(client.delivered.map(textOf)).toEqual([
    expect.stringMatching(
      new RegExp(`^id:${id} sub:001 dlvrd:001 submit date:\\d{10} done date:\\d{10} stat:DELIVRD`),
    ),
  ]);
  expect(await readLedger(simulator.url)).toMatchObject([
    { sid: id, provider: 'smpp', account_sid: account['system_id'], to: `+${TO}`, body: 'Hello' },
  ]);
  expect(await client.send('unbind')).toMatchObject({ command: 'unbind_resp' });
  await client.waitForClose();
});

test('a bind with a wrong password, or beyond the limit of binds of its account, is refused', async () => {
  const simulator = await startSmpp();
  const account = await simulator.createSmpp({ max_binds: 1 });
  const client = await simulator.connect();
  const wrong = { ...credentialsOf(account), password: 'wrong' };
  expect(await client.send('bind_transceiver', wrong)).toMatchObject({
    command_status: smpp.ESME_RINVPASWD,
  });
  expect(await client.submit()).toMatchObject({ command_status: smpp.ESME_RINVBNDSTS });
  const first = await simulator.bind(account);
  expect(await client.send('bind_transceiver', credentialsOf(account))).toMatchObject({
    command_status: smpp.ESME_RBINDFAIL,
  });
  first.close();
  await expect
    .poll(() => client.send('bind_transceiver', credentialsOf(account)), EVENTUALLY)
    .toMatchObject({ command_status: smpp.ESME_ROK });
});

test('the parts of a long SMPP text are one message in the ledger, and each part gets a receipt', async () => {
  const simulator = await startSmpp();
  const client = await simulator.bind(await simulator.createSmpp());
  const partOf = (sequence: number, message: string) => ({
    ...WITH_RECEIPT,
    esm_class: 0x40,
    data_coding: 8,
    short_message: { udh: Buffer.from([5, 0, 3, 7, 2, sequence]), message },
  });
  const second = await client.submit(partOf(2, ' мир'));
  expect(await readLedger(simulator.url)).toEqual([]);
  const first = await client.submit(partOf(1, 'Привет,'));
  await client.waitForDelivered(2);
  expect(await readLedger(simulator.url)).toMatchObject([{ body: 'Привет, мир' }]);
  expect(client.delivered.map((pdu) => pdu.receipted_message_id)).toEqual([
    first.message_id,
    second.message_id,
  ]);
});

test('a part that was confirmed before a restart of the simulator completes its message', async () => {
  const before = await startSmpp();
  const account = await before.createSmpp();
  const client = await before.bind(account);
  const partOf = (sequence: number, message: string) => ({
    esm_class: 0x40,
    short_message: { udh: Buffer.from([5, 0, 3, 9, 2, sequence]), message },
  });
  await client.submit(partOf(1, 'One '));
  await before.close();
  const after = await startSmpp({ dataDir: before.dataDir });
  expect(after.urls.smpp).toBe(before.urls.smpp);
  await (await after.bind(account)).submit(partOf(2, 'two'));
  expect(await readLedger(after.url)).toMatchObject([{ body: 'One two' }]);
});

test('magic recipients and faults produce SMPP’s own errors', async () => {
  const simulator = await startSmpp();
  const client = await simulator.bind(await simulator.createSmpp());
  const statusTo = async (destination: string) =>
    (await client.submit({ destination_addr: destination })).command_status;
  expect(await statusTo('15005550001')).toBe(smpp.ESME_RINVDSTADR);
  expect(await statusTo('15005550020')).toBe(smpp.ESME_RTHROTTLED);
  expect((await client.submit({ source_addr: '15005550008' })).command_status).toBe(
    smpp.ESME_RMSGQFUL,
  );
  await setBehaviour(simulator.url, { provider: 'smpp', reject_429: 1 });
  expect(await statusTo(TO)).toBe(smpp.ESME_RTHROTTLED);
  expect(await readLedger(simulator.url)).toEqual([]);
  await setBehaviour(simulator.url, { provider: 'smpp', reject_429: 0, accept_then_500: 1 });
  expect(await statusTo(TO)).toBe(smpp.ESME_RSYSERR);
  expect(await readLedger(simulator.url)).toHaveLength(1);
  await setBehaviour(simulator.url, { provider: 'smpp', accept_then_500: 0, accept_then_reset: 1 });
  void client.submit();
  await client.waitForClose();
  expect(await readLedger(simulator.url)).toHaveLength(2);
});

test('mismatched_201 accepts an SMPP message and responds as if to another command', async () => {
  const simulator = await startSmpp();
  const client = await simulator.bind(await simulator.createSmpp());
  await setBehaviour(simulator.url, { provider: 'smpp', mismatched_201: 1 });
  expect(await client.submit()).toMatchObject({ command: 'enquire_link_resp' });
  expect(await readLedger(simulator.url)).toHaveLength(1);
});

test('a receipt that is requested for failures only is sent for an undelivered message, not for a delivered one', async () => {
  const simulator = await startSmpp();
  const client = await simulator.bind(await simulator.createSmpp());
  const onFailure = { registered_delivery: 2 };
  await client.submit(onFailure);
  const { message_id: id } = await client.submit({ ...onFailure, destination_addr: '15005550012' });
  await client.waitForDelivered(1);
  expect(client.delivered.map(textOf)).toEqual([
    expect.stringMatching(`id:${id} .* stat:UNDELIV err:001`),
  ]);
});

test('a number that has sent a message receives messages over a bind, and each is repeated until it is confirmed', async () => {
  const simulator = await startSmpp();
  const account = await simulator.createSmpp();
  const client = await simulator.bind(account, (nth) => (nth === 1 ? smpp.ESME_RMSGQFUL : 0));
  await client.submit();
  const inbound = { to: `+${FROM}`, from: `+${TO}`, body: 'Olá €' };
  expect(await simulator.control('POST', 'inbound', inbound)).toMatchObject({
    body: { status: 200, attempts: 2, error: null },
  });
  expect(client.delivered).toHaveLength(2);
  expect(client.delivered).toMatchObject([
    { esm_class: 0, source_addr: TO, destination_addr: FROM },
    { esm_class: 0, source_addr: TO, destination_addr: FROM },
  ]);
  expect(await readInboundLedger(simulator.url)).toMatchObject([
    { provider: 'smpp', body: 'Olá €', delivered: true },
  ]);
});

test('an SMPP receipt waits for a bind of its account', async () => {
  const simulator = await startSmpp();
  const account = await simulator.createSmpp();
  const client = await simulator.connect();
  await client.send('bind_transmitter', credentialsOf(account));
  const { message_id: id } = await client.submit(WITH_RECEIPT);
  client.close();
  const next = await simulator.bind(account);
  await next.waitForDelivered(1);
  expect(next.delivered).toMatchObject([{ receipted_message_id: id }]);
});

test('the SMPP port and its connections are closed while the provider refuses connections', async () => {
  const simulator = await startSmpp();
  const account = await simulator.createSmpp();
  const client = await simulator.bind(account);
  await setBehaviour(simulator.url, { provider: 'smpp', refuse_connections: 1 });
  await client.waitForClose();
  await expect(simulator.connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await setBehaviour(simulator.url, { provider: 'smpp', refuse_connections: 0 });
  await vi.waitFor(() => simulator.bind(account), EVENTUALLY);
});

test('the first bind with an unused system_id creates its account, and invalid fields of an account are refused', async () => {
  const simulator = await startSmpp();
  await simulator.bind({ system_id: 'carrier', password: 'secret' });
  await expect(simulator.bind({ system_id: 'carrier', password: 'other' })).rejects.toThrow(
    'The bind was refused',
  );
  const answer = await simulator.control('POST', 'accounts', { type: 'smpp', max_binds: -1 });
  expect(answer).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('max_binds') },
  });
});
