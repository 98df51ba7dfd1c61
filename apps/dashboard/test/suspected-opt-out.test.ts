import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const ADA = '+14155550171';
const BOB = '+14155550172';
const CLEO = '+14155550173';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    for (const number of [ADA, BOB]) await stack.receive(number, 'Please stop texting me');
  },
});

const row = (number: string) => page.locator(`[data-conversation="${number}"]`);
const question = () => page.getByRole('status').filter({ hasText: 'may ask you to stop' });
const optOuts = async () => {
  const { data } = await stack.request<{ data: { number: string }[] }>('GET', `${api}/opt-outs`);
  return data.map(({ number }) => number);
};

test('a suspected opt-out is marked in the inbox, and one click opts the number out', async () => {
  await page.goto(`${view}/conversations/${ADA}`);
  for (const number of [ADA, BOB]) await row(number).getByText('Opt-out?').waitFor();
  await question().getByRole('button', { name: 'Opt out', exact: true }).click();
  await page.getByText('This number has opted out').waitFor();
  await question().waitFor({ state: 'detached' });
  await row(ADA).getByText('Opt-out?').waitFor({ state: 'detached' });
  expect(await optOuts()).toEqual([ADA]);
});

test('one click dismisses a suspected opt-out, and the number can still be answered', async () => {
  await page.goto(`${view}/conversations/${BOB}`);
  await question().getByRole('button', { name: 'Not an opt-out' }).click();
  await question().waitFor({ state: 'detached' });
  await row(BOB).getByText('Opt-out?').waitFor({ state: 'detached' });
  expect(await optOuts()).toEqual([ADA]);
  expect(await page.getByRole('textbox', { name: 'Reply' }).isEnabled()).toBe(true);
});

test('words of the workspace beside the keyword replies opt out', async () => {
  await page.goto(`${view}/settings/opt-outs`);
  const words = page.getByLabel('More words like STOP');
  await words.fill('Baja\n\n  ya no más ');
  await page.getByRole('button', { name: 'Save replies' }).click();
  await page.getByText('Saved.').waitFor();
  await expect.poll(() => words.inputValue(), EVENTUALLY).toBe('Baja\nya no más');
  await stack.receive(CLEO, '¡Ya no más!');
  await expect.poll(optOuts, EVENTUALLY).toContain(CLEO);

  await words.fill('HELP');
  await page.getByRole('button', { name: 'Save replies' }).click();
  await page.getByRole('alert').filter({ hasText: /help/i }).first().waitFor();
  expect(opened.errors).toEqual([]);
});
