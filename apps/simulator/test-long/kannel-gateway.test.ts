import { createServer } from 'node:http';
import { EVENTUALLY, listen, readKannelQuery, startKannel } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readLedger, setBehaviour } from '../test/start-simulator.ts';
import { startVendors } from '../test/start-vendors.ts';

const FROM = '+15005550006';
const TO = '+14155550123';
const SENT = '202 0: Accepted for delivery';

/** Starts a simulator with an SMPP account, and a Kannel gateway that is bound to it. */
async function startGateway() {
  const { url, urls, dataDir, control, createAccount } = await startVendors();
  const { system_id: systemId = '', password = '' } = await createAccount('smpp');
  const { receiverUrl, receipts, inbound } = await startReceiver();
  const port = Number(new URL(urls.smpp).port);
  const smsc = { port, systemId, password };
  const kannel = await startKannel({ folder: dataDir, smsc, receiverUrl });
  onTestFinished(() => kannel.stop());
  const waitForStatus = (status: string) =>
    vi.waitFor(async () => expect(await kannel.readSmscStatus()).toContain(status), EVENTUALLY);
  await waitForStatus('(online');
  return { url, control, systemId, kannel, waitForStatus, receipts, inbound };
}

/** Records the queries of requests by their path. */
async function startReceiver() {
  const receipts: Record<string, string>[] = [];
  const inbound: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    const [path, query = ''] = (request.url ?? '').split('?');
    (path === '/receipt' ? receipts : inbound).push(readKannelQuery(query));
    response.end();
  });
  const { url: receiverUrl, close } = await listen(server);
  onTestFinished(close);
  return { receiverUrl, receipts, inbound };
}

test('the Kannel gateway binds to the simulator, sends messages in each encoding, and receives receipts and replies', async () => {
  const { url, control, systemId, kannel, receipts, inbound } = await startGateway();
  const texts = ['Hello', 'Привет, мир', 'x'.repeat(400)];
  for (const text of texts) {
    const coding = text === 'Привет, мир' ? '2' : '0';
    expect(await kannel.send({ from: FROM, to: TO, text, coding })).toBe(SENT);
  }
  await vi.waitFor(async () => expect(await readLedger(url)).toHaveLength(3), EVENTUALLY);
  const ledger = await readLedger(url);
  expect(ledger).toMatchObject(
    texts.map((body) => ({ provider: 'smpp', account_sid: systemId, from: FROM, to: TO, body })),
  );

  await vi.waitFor(() => expect(receipts.length).toBeGreaterThanOrEqual(3), EVENTUALLY);
  const delivered = receipts.filter(({ type }) => type === '1').map(({ id }) => id);
  // Kannel requests a receipt for only one part of a long message.
  expect(delivered).toContain(ledger[0]?.sid);
  expect(delivered).toContain(ledger[1]?.sid);

  const answers = [
    { text: 'Thanks, 5 €', coding: '0' },
    { text: 'Спасибо 👍 '.repeat(20), coding: '2' },
  ];
  for (const { text } of answers) {
    const delivery = await control('POST', 'inbound', { from: TO, to: FROM, body: text });
    expect(delivery.body).toMatchObject({ status: 200, attempts: 1 });
  }
  await vi.waitFor(() => expect(inbound).toHaveLength(2), EVENTUALLY);
  expect(inbound).toEqual(answers.map((answer) => ({ from: TO, to: FROM, ...answer })));
  const refused = /unknown PDU|Malformed|not valid|generic_nack/i;
  expect(kannel.bearerbox.logs.filter((line) => refused.test(line))).toEqual([]);
});

test('the Kannel gateway keeps a message while the SMPP port is closed, then binds again and sends the message', async () => {
  const { url, kannel, receipts, waitForStatus } = await startGateway();
  await setBehaviour(url, { provider: 'smpp', refuse_connections: 1 });
  await waitForStatus('re-connecting');
  expect(await kannel.send({ from: FROM, to: TO, text: 'Later' })).toMatch(/^202 /);
  expect(await readLedger(url)).toEqual([]);
  await setBehaviour(url, { provider: 'smpp', refuse_connections: 0 });
  await vi.waitFor(
    async () =>
      expect(await readLedger(url)).toMatchObject([{ from: FROM, to: TO, body: 'Later' }]),
    EVENTUALLY,
  );
  await vi.waitFor(() => expect(receipts).toHaveLength(1), EVENTUALLY);
});
