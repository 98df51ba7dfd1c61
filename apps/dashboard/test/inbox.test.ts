import { readFile } from 'node:fs/promises';
import type { Conversation, MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const OURS = '+15005550006';
const ADA = '+14155550161';
const BOB = '+14155550162';

useDashboard({ fill: () => stack.request('POST', `${api}/numbers`, { number: OURS }) });

const row = (number: string) => page.locator(`[data-conversation="${number}"]`);
const read = (number: string) =>
  stack.request<Conversation>('GET', `${api}/conversations/${encodeURIComponent(number)}`);

test('a received message is unread in the list, the navigation and the title until its thread is open', async () => {
  await page.goto(`${view}/conversations`);
  await page.locator('[data-connection=live]:visible').waitFor();
  await stack.receive(ADA, 'See https://example.com/order, please.');
  await row(ADA).getByText('1 unread').waitFor();
  await expect.poll(() => page.title(), EVENTUALLY).toBe('(1) Conversations · Switchboard');
  await page.getByRole('link', { name: 'Conversations 1 unread' }).first().waitFor();

  await row(ADA).click();
  const link = page.getByRole('log').getByRole('link', { name: 'https://example.com/order' });
  expect(await link.getAttribute('rel')).toContain('noopener');
  await expect.poll(async () => (await read(ADA)).unread_count, EVENTUALLY).toBe(0);
  await expect.poll(() => page.title(), EVENTUALLY).toBe('Conversations · Switchboard');
});

test('a conversation can be assigned and closed, leaves the list of open ones, and returns with a new message', async () => {
  await stack.receive(BOB, 'Hello');
  await page.goto(`${view}/conversations/${ADA}`);
  await page.getByLabel('Assigned to').selectOption({ label: 'Owner' });
  await row(ADA).getByText('Owner').waitFor();
  await page.getByRole('button', { name: 'Mine' }).click();
  await row(BOB).waitFor({ state: 'detached' });
  await row(ADA).waitFor();

  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await row(ADA).waitFor({ state: 'detached' });
  await page.getByLabel('State').selectOption('Closed');
  await row(ADA).waitFor();
  await page.getByLabel('State').selectOption('Open');
  await row(ADA).waitFor({ state: 'detached' });
  await stack.receive(ADA, 'One more question');
  await row(ADA).getByText('One more question').waitFor();
  await page.getByRole('button', { name: 'Unassigned' }).click();
  await row(BOB).waitFor();
  await row(ADA).waitFor({ state: 'detached' });
  await page.getByLabel('Search conversations').fill('0162');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await row(BOB).waitFor();
  const { assignee, state } = await read(ADA);
  expect([assignee?.name, state]).toEqual(['Owner', 'open']);
});

test('a note with a mention is written with the keyboard, is shown to colleagues live, and is never sent', async () => {
  await page.goto(`${view}/conversations/${ADA}`);
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  const note = page.getByRole('textbox', { name: 'Note' });
  await note.pressSequentially('Please call, @own');
  await page.getByRole('listbox').getByRole('option', { name: /Owner/ }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => note.inputValue(), EVENTUALLY).toBe('Please call, @Owner ');
  // A draft is kept after a reload.
  await page.reload();
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await expect.poll(() => note.inputValue(), EVENTUALLY).toBe('Please call, @Owner ');
  await note.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Please call, @Owner').waitFor();
  await expect.poll(() => note.inputValue(), EVENTUALLY).toBe('');

  const path = `${api}/conversations/${encodeURIComponent(ADA)}/notes`;
  await stack.request('POST', path, { body: 'Called at noon' });
  await page.getByRole('log').getByText('Called at noon').waitFor();
  const { data } = await stack.request<{ data: { mentions: unknown[] }[] }>('GET', path);
  expect(data.map(({ mentions }) => mentions.length)).toEqual([0, 1]);
  const sent = `${api}/messages?direction=outbound`;
  expect((await stack.request<MessageList>('GET', sent)).messages).toEqual([]);
});

test('a member finds the notes that mention them, and opens the conversation of a note', async () => {
  await page.goto(`${view}/conversations`);
  await page.getByRole('button', { name: 'Mentions' }).click();
  const mention = page.getByRole('list', { name: 'Mentions' }).getByRole('link');
  await mention.filter({ hasText: 'Please call, @Owner' }).waitFor();
  // A new mention appears live.
  const path = `${api}/conversations/${encodeURIComponent(BOB)}/notes`;
  const note = { body: 'Yours?', mentions: [stack.owner.userId] };
  await stack.request('POST', path, note);
  await mention.filter({ hasText: 'Yours?' }).click();
  await page.waitForURL(`**/conversations/${encodeURIComponent(BOB)}`);
  await page.getByRole('log').getByText('Yours?').waitFor();
  await page.getByRole('button', { name: 'Mentions' }).click();
  await row(BOB).waitFor();
  await expect.poll(() => mention.count(), EVENTUALLY).toBe(0);
});

test('a failed message links to the messages with the same error, and to the message that repeats it', async () => {
  const { id } = await stack.request<{ id: string }>('POST', `${api}/messages`, {
    to: '+15005550015',
    body: 'Buy now',
  });
  await page.goto(`${view}/messages/${id}`);
  await page.getByText('A carrier filtered the message').waitFor();
  const help = page.getByRole('link', { name: 'Twilio’s page about 30007' });
  expect(await help.getAttribute('href')).toBe('https://www.twilio.com/docs/api/errors/30007');
  await page.getByRole('link', { name: 'All messages with this error' }).click();
  await page.waitForURL('**/messages?error_code=30007');
  await expect.poll(() => page.locator('[data-message]').count(), EVENTUALLY).toBe(1);

  await page.goto(`${view}/messages/${id}`);
  await page.getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog', { name: 'New message' });
  const text = dialog.getByLabel('Message', { exact: true });
  await expect.poll(() => text.inputValue(), EVENTUALLY).toBe('Buy now');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const again = `${api}/messages?to=${encodeURIComponent('+15005550015')}`;
  const { messages } = await stack.request<MessageList>('GET', again);
  expect(messages.map(({ body, from }) => [body, from])).toEqual([
    ['Buy now', OURS],
    ['Buy now', OURS],
  ]);

  const repeats = page.getByRole('region', { name: 'Sent again' });
  await page.waitForURL(`**/messages/${messages[0]?.id}`);
  await repeats.getByRole('link', { name: 'First message' }).click();
  await page.waitForURL(`**/messages/${id}`);
  await repeats.getByRole('listitem').getByText('Undelivered').waitFor();
  await repeats.getByRole('listitem').getByRole('link').click();
  await page.waitForURL(`**/messages/${messages[0]?.id}`);

  // A message to another recipient is not a repeat.
  await page.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByLabel('To', { exact: true }).fill(ADA);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const toAda = `${api}/messages?to=${encodeURIComponent(ADA)}&direction=outbound`;
  const { messages: others } = await stack.request<MessageList>('GET', toAda);
  expect(others.map(({ body, repeat_of }) => [body, repeat_of])).toEqual([['Buy now', null]]);
});

test('filters accept several values, stay in the address, and select the exported messages', async () => {
  await page.goto(`${view}/messages`);
  const bar = page.getByRole('search', { name: 'Filter messages' });
  await bar.getByRole('button', { name: 'Status' }).click();
  await bar.getByRole('checkbox', { name: 'Received' }).check();
  await bar.getByRole('checkbox', { name: 'Undelivered' }).check();
  await page.keyboard.press('Escape');
  await bar
    .getByRole('button', { name: 'Status Received + 1' })
    .or(bar.getByRole('button', { name: 'Status Undelivered + 1' }))
    .waitFor();
  await page.waitForURL((url) => url.searchParams.get('status') === 'received,undelivered');
  await bar.getByLabel('From').fill(`${ADA}, ${OURS}`);
  await bar.getByLabel('From').press('Enter');
  await bar.getByRole('button', { name: 'Sent by' }).click();
  await bar.getByRole('checkbox', { name: 'Owner' }).check();
  // A reload keeps the filters in the address.
  await page.waitForURL((url) => url.searchParams.has('from') && url.searchParams.has('sent_by'));
  await page.reload();
  await bar.getByRole('button', { name: 'Sent by Owner' }).waitFor();
  const query = new URLSearchParams({
    status: 'received,undelivered',
    from: `${ADA},${OURS}`,
    sent_by: stack.owner.userId,
  });
  const { messages } = await stack.request<MessageList>(
    'GET',
    `${api}/messages?${query.toString()}`,
  );
  expect(messages.length).toBeGreaterThan(1);
  await page.locator(`[data-total="${messages.length}"]`).waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const table = await readFile((await download.path()) ?? '', 'utf8');
  const ids = table
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.slice(0, 36));
  expect(ids).toEqual(messages.map(({ id }) => id));
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForURL((url) => url.search === '');
});

test('filters are saved as a view, which can be opened, renamed and deleted', async () => {
  await page.goto(`${view}/messages?status=failed&error_code=30007`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Save these filters' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Filtered as spam');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // The button names the view that is open.
  await page.getByRole('button', { name: 'Filtered as spam', exact: true }).waitFor();

  await page.goto(`${view}/messages`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('link', { name: 'Filtered as spam' }).click();
  await page.waitForURL((url) => url.search === '?status=failed&error_code=30007');
  await page.getByRole('button', { name: 'Filtered as spam', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Filtered as spam' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Spam');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Spam', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Spam' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete “Spam”?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByText('No saved views yet.').waitFor();
  const { data } = await stack.request<{ data: unknown[] }>('GET', `${api}/saved-views`);
  expect(data).toEqual([]);
});

test('the name of another view is refused at the field of the name, for a new view and for a renamed one', async () => {
  for (const status of ['failed', 'delivered'])
    await stack.request('POST', `${api}/saved-views`, { name: status, filters: { status } });
  await page.goto(`${view}/messages?status=queued`);
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
  const expectRefused = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('This name is already in use.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => name.and(page.locator(':focus')).count(), EVENTUALLY).toBe(1);
  };
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Save these filters' }).click();
  await name.fill(' failed ');
  await expectRefused();
  await name.fill('Queued');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Queued', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Queued' }).click();
  await name.fill('delivered');
  await expectRefused();
  const { data } = await stack.request<{ data: { name: string }[] }>('GET', `${api}/saved-views`);
  expect(data.map((each) => each.name).toSorted()).toEqual(['Queued', 'delivered', 'failed']);
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a stopped export saves no file', async () => {
  await page.goto(`${view}/messages`);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/messages/export.csv*', async (route) => {
    await released;
    await route.abort();
  });
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Export' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  release();
  await page.unrouteAll({ behavior: 'wait' });
  expect(downloads).toBe(0);
});

test('an open thread shows an opt-out before a reply is written, and allows replies after an opt-in', async () => {
  const number = '+14155550163';
  await stack.receive(number, 'Hello');
  await page.goto(`${view}/conversations/${number}`);
  const reply = page.getByRole('textbox', { name: 'Reply' });
  await reply.fill('Good morning');
  const sendButton = page.getByRole('button', { name: 'Send reply' });
  await expect.poll(() => sendButton.isEnabled(), EVENTUALLY).toBe(true);
  await stack.receive(number, 'STOP');
  await page.getByText('This number has opted out').waitFor();
  expect(await sendButton.isEnabled()).toBe(false);
  await stack.receive(number, 'START');
  await page.getByText('This number has opted out').waitFor({ state: 'detached' });
  await expect.poll(() => sendButton.isEnabled(), EVENTUALLY).toBe(true);
  expect(await reply.inputValue()).toBe('Good morning');
  await reply.fill('');
});

test('a thread with a short code says that it cannot receive a reply, and sends none', async () => {
  await page.goto(`${view}/conversations/72345`);
  await page.getByText('No messages yet.').waitFor();
  await page.getByText('You can’t reply: this is a short code').waitFor();
  const reply = page.getByRole('textbox', { name: 'Reply' });
  await reply.fill('Thanks');
  expect(await page.getByRole('button', { name: 'Send reply' }).isEnabled()).toBe(false);
  await reply.fill('');
});

test('no page logs an error or a violation of its security policy during the inbox tests', () => {
  expect(opened.errors).toEqual([]);
});
