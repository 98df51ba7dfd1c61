import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { createClient, FROM, readLedger, startSimulator } from './start-simulator.ts';

const TO = '+15551230001';

test.each([
  ['+15005550001', 21211],
  ['+15005550002', 21612],
  ['+15005550003', 21408],
  ['+15005550004', 21610],
  ['+15005550009', 21614],
])('a message to %s is refused with error %i', async (to, code) => {
  const { client, url } = await startSimulator();
  await expect(client.messages.create({ to, from: FROM, body: 'x' })).rejects.toMatchObject({
    status: 400,
    code,
  });
  expect(await readLedger(url)).toEqual([]);
});

test.each([
  ['+15005550001', 21212],
  ['+15005550007', 21606],
  ['+15005550008', 21611],
  ['+15005550005', 21606],
])('a message from %s is refused with error %i', async (from, code) => {
  const { client } = await startSimulator();
  await expect(client.messages.create({ to: TO, from, body: 'x' })).rejects.toMatchObject({
    status: 400,
    code,
  });
});

test('a number with the magic prefix can send when the account owns it', async () => {
  const { client } = await startSimulator();
  await client.incomingPhoneNumbers.list({ phoneNumber: '+15005550005' });
  const { status } = await client.messages.create({ to: TO, from: '+15005550005', body: 'x' });
  expect(status).toBe('queued');
});

test.each([
  ['+15005550010', 30008],
  ['+15005550011', 30003],
  ['+15005550012', 30005],
  ['+15005550013', 30006],
  ['+15005550015', 30007],
  ['+15005550016', 21610],
])('a message to %s becomes undelivered with error %i', async (to, errorCode) => {
  const { client } = await startSimulator();
  const { sid } = await client.messages.create({ to, from: FROM, body: 'x' });
  await vi.waitFor(async () => {
    const message = await client.messages(sid).fetch();
    expect(message).toMatchObject({ status: 'undelivered', errorCode });
    expect(message.errorMessage).toBeTruthy();
  }, EVENTUALLY);
});

test('a message to +15005550014 stays at sent', async () => {
  const { client } = await startSimulator();
  const stuck = await client.messages.create({ to: '+15005550014', from: FROM, body: 'x' });
  const other = await client.messages.create({ to: TO, from: FROM, body: 'x' });
  await vi.waitFor(async () => {
    expect((await client.messages(other.sid).fetch()).status).toBe('delivered');
  }, EVENTUALLY);
  expect((await client.messages(stuck.sid).fetch()).status).toBe('sent');
});

test('a message to +15005550020 is refused with 429 twice and then accepted', async () => {
  const { client, url } = await startSimulator();
  const message = { to: '+15005550020', from: FROM, body: 'x' };
  for (let i = 0; i < 2; i += 1) {
    await expect(client.messages.create(message)).rejects.toMatchObject({
      status: 429,
      code: 20429,
    });
  }
  expect(await readLedger(url)).toEqual([]);
  await client.messages.create(message);
  expect(await readLedger(url)).toHaveLength(1);
});

test('two messages to +15005550020 with different callback URLs are refused twice each', async () => {
  const { client, url } = await startSimulator();
  const send = (id: string) =>
    client.messages.create({
      to: '+15005550020',
      from: FROM,
      body: 'x',
      statusCallback: `${url}/health?message=${id}&attempt=1`,
    });
  const outcomes = [];
  for (const id of ['a', 'b', 'a', 'b', 'a', 'b']) {
    outcomes.push(
      await send(id).then(
        () => 'accepted',
        () => 'refused',
      ),
    );
  }
  expect(outcomes).toEqual([...Array(4).fill('refused'), 'accepted', 'accepted']);
});

test('a message to +15005550021 is accepted although the response is 500', async () => {
  const { client, url } = await startSimulator();
  await expect(
    client.messages.create({ to: '+15005550021', from: FROM, body: 'x' }),
  ).rejects.toMatchObject({ status: 500, code: 20500 });
  expect(await readLedger(url)).toHaveLength(1);
});

test('a message to +15005550022 is accepted and the connection is reset', async () => {
  const { client, url } = await startSimulator();
  await expect(
    client.messages.create({ to: '+15005550022', from: FROM, body: 'x' }),
  ).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await readLedger(url)).toHaveLength(1);
});

test('a message to +15005550023 is accepted and receives no response', async () => {
  const { url, accountSid, token } = await startSimulator();
  // Far longer than the simulator needs to accept a message on a busy machine.
  const client = createClient(url, accountSid, token, 5_000);
  await expect(
    client.messages.create({ to: '+15005550023', from: FROM, body: 'x' }),
  ).rejects.toMatchObject({ code: 'ECONNABORTED' });
  expect(await readLedger(url)).toHaveLength(1);
});
