import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from './launch-chromium.ts';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { type Stack, startStack } from './start-stack.ts';
import { baseOf } from './views.ts';

let stack: Stack;
let browser: Browser;
let opened: OpenPage;
let receiver: Server;
const received: string[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk.toString()));
    request.on('end', () => response.end('Thank you'));
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  [stack, browser] = await Promise.all([
    startStack({ WEBHOOK_ALLOW_LOOPBACK: 'true' }),
    launchChromium(),
  ]);
  opened = await openPage(browser);
  await signIn(opened.page, stack);
}, 90_000);
afterAll(async () => {
  await opened?.close();
  await browser?.close();
  await stack?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
});

test('an owner adds an endpoint, tests it, reads its deliveries, replaces its secret and deletes it', async () => {
  const { page, errors } = opened;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
  await page.goto(`${baseOf(stack)}/settings/webhooks`);

  await page.getByLabel('URL').fill('http://10.0.0.1/');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByText('Enter an address that begins with https://').waitFor();
  await page.getByLabel('URL').fill(url);
  await page.getByLabel('Description').fill('Web shop');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const created = page.getByRole('dialog', { name: 'Signing secret' });
  const secret = await created.locator('[data-secret]').textContent();
  expect(secret).toMatch(/^whsec_/);
  await created.getByRole('button', { name: 'I have copied it' }).click();

  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('The test was delivered: 200').waitFor();
  expect(received.join('')).toContain('"type":"endpoint.test"');
  await page.getByText('Working').waitFor();

  await page.getByRole('button', { name: 'Deliveries' }).click();
  const deliveries = page.getByRole('dialog', { name: 'Deliveries' });
  await deliveries.getByText('endpoint.test', { exact: true }).click();
  await deliveries.getByText('Thank you').waitFor();
  await deliveries.getByText('"sequence": 1').waitFor();
  await deliveries.getByRole('button', { name: 'Send again' }).click();
  await deliveries.getByText('Pending').or(deliveries.getByText('Delivered')).first().waitFor();
  await deliveries.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Replay' }).click();
  const replay = page.getByRole('dialog', { name: 'Replay events' });
  await replay.getByRole('button', { name: 'Replay' }).click();
  await replay.getByText(/\d events? will be sent again/).waitFor();
  await replay.getByRole('button', { name: 'Close' }).first().click();

  await page.getByRole('button', { name: `Replace the secret of ${url}` }).click();
  await page.getByRole('button', { name: 'Replace secret', exact: true }).last().click();
  const replaced = await created.locator('[data-secret]').textContent();
  expect(replaced).toMatch(/^whsec_/);
  expect(replaced).not.toBe(secret);
  await created.getByRole('button', { name: 'I have copied it' }).click();

  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: `Delete ${url}` }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await page.getByText('No endpoints yet').waitFor();
  expect(errors).toEqual([]);
}, 120_000);

test('the page has code to verify a signature in six languages', async () => {
  const { page } = opened;
  await page.goto(`${baseOf(stack)}/settings/webhooks`);
  for (const language of ['Node.js', 'Python', 'Go', 'Ruby', 'PHP', 'Java']) {
    await page.getByRole('button', { name: language, exact: true }).click();
    const code = await page.getByLabel(`Code in ${language}`).textContent();
    expect(code).toMatch(/WEBHOOK_SECRET|whsec_/);
  }
});
