import type { MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, page, stack, useDashboard, view, waitUntilNoDialog } from './use-dashboard.ts';

const BERLIN = '+493012345678';
/** As a page writes it that must not break the number across lines. */
const COPIED = '+49 30 123456\u202F78';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    for (const to of ['+14155550130', BERLIN])
      await stack.request('POST', `${api}/messages`, { to, body: `To ${to}` });
  },
});

const rows = () => page.locator('[data-message]');

test('a message to a number that was pasted with a narrow space goes to all of its digits', async () => {
  await page.goto(`${view}/messages`);
  await rows().first().waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New message' });
  await dialog.getByLabel('To', { exact: true }).fill(COPIED);
  await dialog.getByText(`${BERLIN} ·`).waitFor();
  await dialog.getByLabel('Message', { exact: true }).fill('With all digits');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await waitUntilNoDialog();
  const { messages } = await stack.request<MessageList>('GET', `${api}/messages`);
  expect(messages[0]).toMatchObject({ to: BERLIN, body: 'With all digits' });
});

test('a number that is pasted with a narrow space opts out with all of its digits', async () => {
  await page.goto(`${view}/settings/opt-outs`);
  await page.getByLabel('Number', { exact: true }).fill(COPIED);
  await page.getByRole('button', { name: 'Opt out', exact: true }).click();
  await page.getByText('+49 30 12345678').waitFor();
  const { data } = await stack.request<{ data: { number: string }[] }>('GET', `${api}/opt-outs`);
  expect(data.map(({ number }) => number)).toEqual([BERLIN]);
});

test.each([
  ['(415) 555-0130', '+14155550130'],
  ['+1\u00A0415\u202F555\u20110130', '+14155550130'],
  [COPIED, BERLIN],
  ['(415) 555-0130, +49 (0)30 12345678', `+14155550130, ${BERLIN}`],
])('the filter %j searches the numbers that it shows then', async (typed, shown) => {
  await page.goto(`${view}/messages`);
  await rows().first().waitFor();
  const filter = page.getByRole('search').getByLabel('To', { exact: true });
  await filter.fill(typed);
  await filter.press('Enter');
  await expect.poll(() => filter.inputValue(), EVENTUALLY).toBe(shown);
  const numbers = shown.split(', ');
  for (const number of numbers) await rows().getByText(`To ${number}`).first().waitFor();
});
