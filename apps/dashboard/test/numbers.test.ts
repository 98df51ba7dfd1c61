import { openTestDatabase } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

useDashboard();

const numbers = async () =>
  (
    await stack.request<{ data: { number: string; inbound_wired: boolean }[] }>(
      'GET',
      `${api}/numbers`,
    )
  ).data;

test('a user adds numbers from the provider’s list, and messages to them then arrive here', async () => {
  await stack.ownNumber('+14155550161', 'https://old.example.com/sms');
  await stack.ownNumber('+14155550162', '');
  await stack.ownNumber('+18005550163', '');
  await page.goto(`${view}/settings/numbers`);
  await page.getByRole('button', { name: 'Numbers of Twilio' }).click();
  const dialog = page.getByRole('dialog', { name: 'Numbers of Twilio' });
  await dialog.getByText('messages to it go to old.example.com').waitFor();
  await dialog.getByRole('checkbox', { name: /555 0161/ }).check();
  await dialog.getByText('go to another application now, and will arrive here instead').waitFor();
  await dialog.getByRole('checkbox', { name: /555 0162/ }).check();
  await dialog.getByRole('button', { name: 'Add 2 numbers' }).click();
  await dialog.getByText('2 numbers were added. Messages to them arrive here.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await numbers()).toMatchObject([
    { number: '+14155550161', inbound_wired: true },
    { number: '+14155550162', inbound_wired: true },
  ]);

  await page.getByRole('button', { name: 'Numbers of Twilio' }).click();
  const known = dialog.getByRole('checkbox', { name: /555 0161.*In this workspace/ });
  await known.waitFor();
  expect(await known.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
});

test('a user repairs a number whose messages go to another application, and they arrive here again', async () => {
  await stack.request('POST', `${api}/numbers`, { number: '+447700900123' });
  await stack.ownNumber('+447700900123', 'https://old.example.com/sms');
  // As the worker does after it has compared the number with the provider's list.
  const database = openTestDatabase(stack.database.url);
  await database.pool.query(
    `UPDATE phone_numbers SET inbound_url = '' WHERE number = '+447700900123'`,
  );
  await database.close();
  await page.goto(`${view}/settings/numbers`);
  await page.getByText('messages to it do not arrive here').waitFor();
  await page.getByRole('button', { name: 'Repair +447700900123' }).click();
  await page.getByText('Messages to this number arrive here.').waitFor();
  expect((await numbers()).every((number) => number.inbound_wired)).toBe(true);
  expect(opened.errors).toEqual([]);
});

test('the list of numbers can be requested again if the provider did not respond', async () => {
  const path = '**/providers/*/numbers?*';
  await page.route(path, (route) =>
    route.fulfill({
      status: 400,
      json: { error: 'invalid_state', detail: 'Twilio is unavailable: It is down.' },
    }),
  );
  await page.getByRole('button', { name: 'Numbers of Twilio' }).click();
  const dialog = page.getByRole('dialog', { name: 'Numbers of Twilio' });
  await dialog.getByText('Twilio is unavailable: It is down.').waitFor();
  await page.unroute(path);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  const free = dialog.getByRole('checkbox', { name: /555 0163/ });
  await free.waitFor();
  expect(await free.isEnabled()).toBe(true);
});

test('a double click adds a number once and shows no error', async () => {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/numbers')) {
      requests.push(request.url());
    }
  });
  await page.goto(`${view}/settings/numbers`);
  await page.getByLabel('Label (optional)').fill('Double');
  await page.getByLabel('Number', { exact: true }).fill('+44 7700 900124');
  await page.getByRole('button', { name: 'Add number' }).dblclick();
  await page.getByText('Double').waitFor();
  expect(requests).toHaveLength(1);
  expect(await page.getByText('already in the list').count()).toBe(0);
  expect(opened.errors).toEqual([]);
});
