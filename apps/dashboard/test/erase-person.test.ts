import { expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const ADA = '+14155550181';
const BOB = '+14155550182';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.receive(ADA, 'Please forget me');
    await stack.receive(BOB, 'Good morning');
  },
});

test('an owner erases a person after typing the number, sees the result, and finds the message as erased', async () => {
  await page.goto(`${view}/conversations/${ADA}`);
  await page.getByRole('button', { name: 'Erase person…' }).click();
  const dialog = page.getByRole('dialog');
  const erase = dialog.getByRole('button', { name: 'Erase', exact: true });
  const number = dialog.getByRole('textbox');
  await number.fill(BOB);
  expect(await erase.isDisabled()).toBe(true);
  await number.fill(ADA);
  await erase.click();
  await dialog.getByText('Erased.', { exact: true }).waitFor();
  await dialog.getByText('1 of 1 message erased').waitFor();
  await dialog.getByText('1 message removed at the provider').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.locator(`[data-conversation="${BOB}"]`).waitFor();
  await page.locator(`[data-conversation="${ADA}"]`).waitFor({ state: 'detached' });
  await page.goto(`${view}/messages`);
  await page.getByRole('link', { name: /erased/ }).click();
  await page.getByText('The person was erased').waitFor();
  expect(await page.getByText('Please forget me').count()).toBe(0);
  expect(opened.errors).toEqual([]);
});
