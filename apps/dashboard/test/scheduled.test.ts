import type { MessageList, MessageWithEvents } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const TO = '+14155550171';

useDashboard({
  fill: () => stack.request('POST', `${api}/numbers`, { number: '+15005550006' }),
});

const read = (id: string) => stack.request<MessageWithEvents>('GET', `${api}/messages/${id}`);
const panel = () => page.getByRole('complementary', { name: 'Message' });

async function schedule(body: string): Promise<string> {
  const scheduled_at = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const message = { to: TO, body, scheduled_at };
  const { id } = await stack.request<{ id: string }>('POST', `${api}/messages`, message);
  await page.goto(`${view}/messages/${id}`);
  await panel()
    .getByText(/^Will be sent /)
    .waitFor();
  return id;
}

/** Returns the messages with this text, oldest first. */
async function withText(body: string) {
  const path = `${api}/messages?to=${encodeURIComponent(TO)}`;
  const { messages } = await stack.request<MessageList>('GET', path);
  return messages.filter((message) => message.body === body).toReversed();
}

test('a scheduled message shows when it will be sent, and is canceled only after a confirmation', async () => {
  const id = await schedule('To be canceled');
  await page.locator(`[data-message="${id}"]`).getByText('Will be sent').waitFor();
  await panel().getByRole('button', { name: 'Cancel sending' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this message?' });
  await dialog.getByRole('button', { name: 'Go back' }).click();
  expect((await read(id)).status).toBe('scheduled');
  await panel().getByRole('button', { name: 'Cancel sending' }).click();
  await dialog.getByRole('button', { name: 'Cancel sending' }).click();
  await dialog.waitFor({ state: 'detached' });
  await panel().getByRole('button', { name: 'Send again' }).waitFor();
  expect((await read(id)).status).toBe('canceled');
  const last = panel().getByRole('list', { name: 'Timeline' }).getByRole('listitem').last();
  await last.getByText('Canceled', { exact: true }).waitFor();
  expect(await last.getByText(/Canceled/).count()).toBe(1);
});

test('a date is typed digit by digit, also a day with a leading zero, which the browser reports as no time at first', async () => {
  await schedule('To be moved with the keyboard');
  await panel().getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change scheduled message' });
  const field = dialog.getByLabel('Send at');
  const now = new Date();
  const [year, month] = new Date(now.getFullYear(), now.getMonth() + 1, 3)
    .toLocaleDateString('sv')
    .split('-');
  await field.click({ position: { x: 18, y: 18 } });
  await page.keyboard.type(`${month}03${year}`);
  await expect.poll(() => field.inputValue(), EVENTUALLY).toContain(`${year}-${month}-03T`);
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a reply is sent later from its thread, and stays in the box if its time is refused', async () => {
  await stack.receive(TO, 'When do you open?');
  await page.goto(`${view}/conversations/${TO}`);
  const thread = page.getByRole('log', { name: 'Messages' });
  await thread.getByText('When do you open?').waitFor();
  const reply = page.getByRole('textbox', { name: 'Reply' });
  await reply.fill('At nine');
  await page.getByRole('button', { name: 'Send later' }).click();
  const time = page.getByLabel('Send at');
  await time.fill('2020-01-01T09:00');
  await reply.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await withText('At nine')).toEqual([]);
  expect(await reply.inputValue()).toBe('At nine');

  // In two days: tomorrow's date in UTC may be today's in the zone of the browser.
  const local = `${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T09:00`;
  await time.fill(local);
  const at = await page.evaluate<string>(`new Date(${JSON.stringify(local)}).toISOString()`);
  await page.getByRole('button', { name: 'Schedule reply' }).click();
  await thread.getByRole('link', { name: /^Scheduled for / }).waitFor();
  const [message] = await withText('At nine');
  expect([message?.status, message?.scheduled_at]).toEqual(['scheduled', at]);
  // The next reply is sent now again.
  await page.getByRole('button', { name: 'Send reply' }).waitFor();
  expect(await reply.inputValue()).toBe('');
});

test('“Send now” cancels the scheduled message and sends one message', async () => {
  const id = await schedule('Sent early');
  await panel().getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send this message now?' });
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await dialog.waitFor({ state: 'detached' });
  const states = async () =>
    (await withText('Sent early')).map(({ status, repeat_of }) => [status, repeat_of]);
  await expect.poll(states, EVENTUALLY).toEqual([
    ['canceled', null],
    ['delivered', id],
  ]);
});

test('a change of a scheduled message replaces it with a message with the new text and time', async () => {
  const id = await schedule('Se you');
  await panel().getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change scheduled message' });
  await dialog.getByLabel('Message', { exact: true }).fill('See you');
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const [changed, ...others] = await withText('See you');
  expect(others).toEqual([]);
  expect(changed).toMatchObject({ status: 'scheduled', repeat_of: id });
  const before = await read(id);
  expect(before.status).toBe('canceled');
  // The input of a local time has no seconds.
  const minute = (at: string | null | undefined) => at?.slice(0, 16);
  expect(minute(changed?.scheduled_at)).toBe(minute(before.scheduled_at));
});

test('a late change of a message that is no longer scheduled does not send it twice', async () => {
  const id = await schedule('Late change');
  await panel().getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send this message now?' });
  // A colleague sends the message first, which cancels the scheduled one.
  await stack.request('POST', `${api}/messages/${id}/cancel`);
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await dialog.getByRole('alert').waitFor();
  expect((await withText('Late change')).map(({ status }) => status)).toEqual(['canceled']);
  await dialog.getByRole('button', { name: 'Go back' }).click();
});

test('a change whose response is lost is completed by the next try, and sends one message', async () => {
  const id = await schedule('Lost answer');
  let lost = 0;
  await page.route('**/messages/*/cancel', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await panel().getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send this message now?' });
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await dialog.getByRole('alert').waitFor();
  expect((await read(id)).status).toBe('canceled');
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.unroute('**/messages/*/cancel');
  expect(await withText('Lost answer')).toHaveLength(2);
});

test('no view of a scheduled message logs an error or a violation of its security policy', () => {
  // The browser logs the request that a test aborts.
  expect(opened.errors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([]);
});
