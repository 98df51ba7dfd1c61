import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  PROVIDERS,
  type Provider,
  addNumber,
  bubbleOf,
  control,
  openPhones,
  phoneOf,
} from './carrier-phone.ts';
import { createPicture } from './create-picture.ts';
import { findViolations } from './find-violations.ts';
import { type OpenPage, openPage } from './open-page.ts';
import { api, browser, opened, page, stack, useDashboard } from './use-dashboard.ts';

const ADA = '+14155550171';
const BOB = '+14155550172';

const folder = await mkdtemp(join(tmpdir(), 'media-'));
useDashboard({
  settings: { PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8', MEDIA_FOLDER: folder },
  isEachVendorSimulated: true,
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The window with the simulator's page. */
let phones: OpenPage;
const ours = {} as Record<Provider, string>;

beforeAll(async () => {
  phones = await openPage(browser);
  for (const type of PROVIDERS) ours[type] = await addNumber(type);
});
async function send(from: string, to: string, body: string, more: object = {}): Promise<string> {
  const message = { from, to, body, ...more };
  return (await stack.request<{ id: string }>('POST', `${api}/messages`, message)).id;
}

const statusOf = async (id: string) =>
  (await stack.request<{ status: string }>('GET', `${api}/messages/${id}`)).status;

/** Uploads a picture to the service. Returns its value for `media_urls`. */
async function uploadPicture(): Promise<string> {
  const response = await fetch(`${stack.url}${api}/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.owner.sessionToken}`, 'content-type': 'image/png' },
    body: new Uint8Array(createPicture(32, 32, [160, 40, 40])),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { url: string }).url;
}

async function receivedFrom(number: string): Promise<string[]> {
  const query = `direction=inbound&from=${encodeURIComponent(number)}`;
  const { messages } = await stack.request<{ messages: { body: string }[] }>(
    'GET',
    `${api}/messages?${query}`,
  );
  return messages.map(({ body }) => body);
}

describe.each(PROVIDERS)('%s', (type) => {
  const phone = `+1415555030${PROVIDERS.indexOf(type)}`;

  test(`a text of ${type} arrives at the phone, and the phone’s answer and STOP arrive at the service`, async () => {
    await openPhones(phones.page, phone);
    const id = await send(ours[type], phone, `Hello from ${type} 🎈`);
    const bubble = bubbleOf(phones.page, phone, `Hello from ${type} 🎈`);
    await bubble.getByText('Delivered · UCS-2, 1 segment').waitFor();
    await bubble.getByText(`From ${ours[type]}`).waitFor();
    await expect.poll(() => statusOf(id), EVENTUALLY).toBe('delivered');

    const text = phoneOf(phones.page, phone).getByLabel('Text');
    await text.fill(`Answer to ${type}`);
    await text.press('Enter');
    await bubbleOf(phones.page, phone, `Answer to ${type}`)
      .getByText('Received by the service')
      .waitFor();
    await expect.poll(() => receivedFrom(phone), EVENTUALLY).toEqual([`Answer to ${type}`]);
    await page.goto(`${stack.url}/w/${stack.owner.workspaceId}/conversations/${phone}`);
    await page.getByRole('log').getByText(`Answer to ${type}`).waitFor();

    await phoneOf(phones.page, phone).getByRole('button', { name: 'Send STOP' }).click();
    await bubbleOf(phones.page, phone, 'STOP').getByText('Received by the service').waitFor();
    const listOptOuts = async () => {
      const path = `${api}/opt-outs?limit=100`;
      const { data } = await stack.request<{ data: { number: string }[] }>('GET', path);
      return data.map(({ number }) => number);
    };
    await expect.poll(listOptOuts, EVENTUALLY).toContain(phone);
  });

  test(`the treatment that a phone chooses holds for the next text of ${type}`, async () => {
    const own = `+1415555040${PROVIDERS.indexOf(type)}`;
    await openPhones(phones.page, own);
    const choice = phoneOf(phones.page, own).getByLabel('Carrier');
    const saved = () =>
      phones.page.waitForResponse((response) => response.request().method() === 'PUT');

    await Promise.all([saved(), choice.selectOption('Does not deliver texts')]);
    const reason = phoneOf(phones.page, own).getByLabel('Reason');
    await Promise.all([saved(), reason.selectOption('30006 Landline or unreachable carrier')]);
    const failed = await send(ours[type], own, 'Never arrives');
    await bubbleOf(phones.page, own, 'Never arrives')
      .getByText('Not delivered: 30006 Landline or unreachable carrier')
      .waitFor();
    await expect.poll(() => statusOf(failed), EVENTUALLY).toBe('undelivered');

    await Promise.all([saved(), choice.selectOption('Delivers, loses the receipt')]);
    const lost = await send(ours[type], own, 'Unreported');
    await bubbleOf(phones.page, own, 'Unreported').getByText('Delivered, receipt lost').waitFor();
    await expect.poll(() => statusOf(lost), EVENTUALLY).toMatch(/^(sending|queued|sent)$/);

    await Promise.all([saved(), choice.selectOption('Delivers after 10 seconds')]);
    await send(ours[type], own, 'Slow');
    await bubbleOf(phones.page, own, 'Slow').getByText('On its way (sent)').waitFor();
    await Promise.all([saved(), choice.selectOption('Delivers texts')]);
    const quick = await send(ours[type], own, 'Quick');
    await expect.poll(() => statusOf(quick), EVENTUALLY).toBe('delivered');
    await bubbleOf(phones.page, own, 'Slow').getByText('Delivered ·').waitFor();
  });
});

test('two phones side by side receive only their own texts, and a reload keeps phones, texts and treatments', async () => {
  await openPhones(phones.page, ADA);
  await phones.page.getByLabel('Number').fill('+1 (415) 555-0172');
  await phones.page.getByRole('button', { name: 'Add phone' }).click();
  await phoneOf(phones.page, BOB).waitFor();
  await send(ours.twilio, ADA, 'For Ada');
  await send(ours.telnyx, BOB, 'For Bob');
  await bubbleOf(phones.page, ADA, 'For Ada').getByText('Delivered ·').waitFor();
  await bubbleOf(phones.page, BOB, 'For Bob').getByText('Delivered ·').waitFor();
  expect(await bubbleOf(phones.page, ADA, 'For Bob').count()).toBe(0);
  // A phone answers the number that wrote last.
  expect(await phoneOf(phones.page, ADA).getByLabel('To').inputValue()).toBe(ours.twilio);
  expect(await phoneOf(phones.page, BOB).getByLabel('To').inputValue()).toBe(ours.telnyx);
  const saved = phones.page.waitForResponse((response) => response.request().method() === 'PUT');
  await phoneOf(phones.page, BOB).getByLabel('Carrier').selectOption('Delivers after 10 seconds');
  await saved;

  for (const reopen of [
    () => phones.page.reload(),
    // The banner's link has no numbers.
    () => phones.page.goto(stack.simulatorUrl),
  ]) {
    await reopen();
    await bubbleOf(phones.page, ADA, 'For Ada').getByText('Delivered ·').waitFor();
    await bubbleOf(phones.page, BOB, 'For Bob').getByText('Delivered ·').waitFor();
    const choice = phoneOf(phones.page, BOB).getByLabel('Carrier');
    await expect.poll(() => choice.inputValue(), EVENTUALLY).toBe('slow');
  }
  await phones.page.getByRole('button', { name: `Remove phone ${BOB}` }).press('Enter');
  await phoneOf(phones.page, BOB).waitFor({ state: 'detached' });
  await phones.page.reload();
  await phoneOf(phones.page, ADA).waitFor();
  expect(await phoneOf(phones.page, BOB).count()).toBe(0);
});

test('a phone shows HTML as text, right-to-left text and ten pictures, and sends pictures that the inbox shows', async () => {
  const own = '+14155550173';
  await openPhones(phones.page, own);
  const markup = '<img src=x onerror="document.title=1"><b>bold</b>';
  await send(ours.twilio, own, markup);
  await bubbleOf(phones.page, own, markup).getByText('Delivered ·').waitFor();
  expect(await phoneOf(phones.page, own).locator('li b, li img').count()).toBe(0);
  await send(ours.twilio, own, 'שלום עולם');
  await bubbleOf(phones.page, own, 'שלום עולם').waitFor();
  const direction = `getComputedStyle(
    [...document.querySelectorAll('li .text')].find((each) => each.textContent === 'שלום עולם'),
  ).direction`;
  expect(await phones.page.evaluate(direction)).toBe('rtl');

  const uploaded = await uploadPicture();
  const mediaUrls = Array.from({ length: 10 }, () => uploaded);
  await send(ours.twilio, own, 'Ten pictures', { media_urls: mediaUrls });
  const album = bubbleOf(phones.page, own, 'Ten pictures');
  await album.getByText('Delivered · MMS').waitFor();
  await album.getByRole('img', { name: 'Picture 10 of 10' }).scrollIntoViewIfNeeded();
  // The simulator fetches the file of the service, as a carrier does.
  const loaded = `[...document.querySelectorAll('li img')].filter((each) => each.naturalWidth === 32).length`;
  await expect.poll(() => phones.page.evaluate(loaded), EVENTUALLY).toBe(10);

  const phone = phoneOf(phones.page, own);
  const picture = {
    name: 'tree.png',
    mimeType: 'image/png',
    buffer: createPicture(64, 48, [20, 90, 50]),
  };
  await phone.getByLabel('Pictures').setInputFiles([picture]);
  await phone.getByLabel('Text').fill('A tree');
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await bubbleOf(phones.page, own, 'A tree').getByText('Received by the service').waitFor();
  await page.goto(`${stack.url}/w/${stack.owner.workspaceId}/conversations/${own}`);
  const widths = () =>
    page.evaluate(
      `[...document.querySelectorAll('[role=log] img')].map(({ naturalWidth }) => naturalWidth)`,
    );
  await expect.poll(widths, EVENTUALLY).toContain(64);

  await phone
    .getByLabel('Pictures')
    .setInputFiles([{ ...picture, buffer: Buffer.alloc(1_000_001) }]);
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await phone.getByRole('alert').getByText('“tree.png” is larger than 1 MB.').waitFor();
});

test('the page reconnects by itself, and texts of the time without a connection appear', async () => {
  const own = '+14155550174';
  await openPhones(phones.page, own);
  await phones.page.context().setOffline(true);
  onTestFinished(() => phones.page.context().setOffline(false));
  // Offline mode keeps open connections; the next ones fail.
  await phones.page.getByLabel('Number').fill('+14155550175');
  await phones.page.getByRole('button', { name: 'Add phone' }).click();
  await phones.page.getByText('No connection to the simulator. Reconnecting…').waitFor();
  await send(ours.twilio, own, 'While offline');
  await phones.page.context().setOffline(false);
  await bubbleOf(phones.page, own, 'While offline').getByText('Delivered ·').waitFor();
  await phones.page.getByText('Live', { exact: true }).waitFor();
  expect(phones.errors).toEqual([]);
});

test('the banner of the dashboard leads to a phone with the number of the README', async () => {
  await page.goto(stack.url);
  const link = page.getByRole('link', { name: 'Open a phone' });
  const [phone] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await phone.getByRole('heading', { name: '+15558675310' }).waitFor();
  await send(ours.twilio, '+15558675310', 'The first message');
  await bubbleOf(phone, '+15558675310', 'The first message').getByText('Delivered ·').waitFor();
  expect(opened.errors).toEqual([]);
  await phone.close();
});

test.each([
  { name: 'light theme', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark theme', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'dark theme, narrow screen', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const)('the phones are accessible and no wider than the window in $name', async (window) => {
  const { name: _name, ...options } = window;
  const { page: own, errors, close } = await openPage(browser, options);
  onTestFinished(close);
  await control('PUT', 'phones/%2B14155550176', { treatment: 'undelivered', error_code: 30007 });
  await send(ours.vonage, '+14155550176', 'Filtered');
  await openPhones(own, ADA, '+14155550173', '+14155550176');
  await bubbleOf(own, '+14155550176', 'Filtered').getByText('Not delivered').first().waitFor();
  await own.getByRole('button', { name: 'Add phone' }).click();
  await own.getByLabel('Number').fill('12');
  await own.getByRole('button', { name: 'Add phone' }).click();
  await own.getByText('Enter one phone number with its country code').waitFor();

  expect(await findViolations(own)).toEqual([]);
  const overflow = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)';
  expect(await own.evaluate(`${overflow}(document.documentElement)`)).toBe(0);
  expect(errors).toEqual([]);
});
