import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUuidV7 } from '@switchboard/core';
import { EVENTUALLY, startKannel } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHttpGatewayAdapter } from '../src/http-gateway/http-gateway-adapter.ts';
import { readCredentials } from '../src/http-gateway/read-credentials.ts';
import { startSimulator } from '../test/start-simulator.ts';

const FROM = '+15005550006';

/** Starts Kannel between a simulated SMSC and an account with the template of docs/providers/http.md. */
async function startKannelAccount() {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const created = await fetch(`${simulator.url}/simulator/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ type: 'smpp' }),
  });
  const { credentials } = (await created.json()) as { credentials: Record<string, string> };
  const { system_id: systemId = '', password = '' } = credentials;
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-kannel-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const kannel = await startKannel({
    folder,
    smsc: { port: Number(new URL(simulator.providerUrls.smpp).port), systemId, password },
    receiverUrl: 'http://127.0.0.1:9',
  });
  onTestFinished(() => kannel.stop());
  await vi.waitFor(
    async () => expect(await kannel.readSmscStatus()).toContain('(online'),
    EVENTUALLY,
  );
  const adapter = createHttpGatewayAdapter({
    apiUrl: null,
    callTimeoutMs: 15_000,
    isAllowedAddress: () => true,
  });
  onTestFinished(() => adapter.close());

  const openAccount = (url: string) =>
    readCredentials({
      send: {
        method: 'GET',
        url: `${url}&from={{from}}&to={{to}}&text={{body}}&charset=UTF-8`,
        unless_gsm7: { coding: 2 },
      },
      accepted: { statuses: [202] },
      refused: { statuses: [400, 403] },
    }).account;
  return {
    send: (to: string, body: string, url = kannel.url) => {
      const messageId = createUuidV7(Date.now());
      const request = { messageId, attempt: 1, to, from: FROM, body, mediaUrls: [], statusUrl: '' };
      return adapter.send(openAccount(url), request, () => true);
    },
    url: kannel.url,
    async readLedger() {
      const text = await (await fetch(`${simulator.url}/simulator/ledger`)).text();
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as { to: string; body: string });
    },
  };
}

test('Kannel sends texts of GSM-7 and of other scripts unchanged, and its refusals keep their words', async () => {
  const kannel = await startKannelAccount();
  const texts = ['Hello', 'Straße: 5 € [é] & more', 'Привет, мир', '“10 ₽” 👍'];
  const recipients = texts.map((_text, index) => `+1415555010${index}`);
  for (const [index, text] of texts.entries()) {
    expect(await kannel.send(recipients[index] ?? '', text)).toMatchObject({ kind: 'accepted' });
  }
  await vi.waitFor(async () => expect(await kannel.readLedger()).toHaveLength(4), EVENTUALLY);
  const ledger = (await kannel.readLedger()).map(({ to, body }) => [to, body] as const);
  expect(ledger.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(
    recipients.map((to, index) => [to, texts[index]]),
  );

  const wrong = kannel.url.replace('password=secret', 'password=wrong');
  expect(await kannel.send('+14155550104', 'Hello', wrong)).toMatchObject({
    kind: 'not_sent',
    reason: 'credentials',
    detail: expect.stringContaining('Authorization failed'),
  });
});
