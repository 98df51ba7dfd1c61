import type { MessageList } from '@switchboard/contracts';
import type { Locator } from 'playwright-core';
import { EVENTUALLY } from '@switchboard/testing';
import { beforeEach, expect, test } from 'vitest';
import { fillHistory } from './fill-history.ts';
import {
  api,
  opened,
  page,
  stack,
  useDashboard,
  view,
  waitUntilNoDialog,
} from './use-dashboard.ts';

const MAYA = '+14155550142';
const LEO = '+14155550161';

useDashboard({ fill: () => fillHistory(stack) });
beforeEach(async () => {
  await page.goto(`${view}/messages`);
  await page.locator('[data-message]').first().waitFor();
});

const dialog = () => page.getByRole('dialog', { name: 'New message' });
const to = () => dialog().getByLabel('To', { exact: true });
const text = () => dialog().getByLabel('Message', { exact: true });
const reply = () => page.getByRole('textbox', { name: 'Reply' });
const sendButton = () => dialog().getByRole('button', { name: 'Send', exact: true });
const countSent = async (number: string) => {
  const path = `${api}/messages?direction=outbound&to=${encodeURIComponent(number)}`;
  return (await stack.request<MessageList>('GET', path)).pagination.totalMessages;
};
const openThread = (number: string) => page.goto(`${view}/conversations/${number}`);
const threadLink = (number: RegExp) =>
  page.getByRole('region', { name: 'Conversations' }).getByRole('link', { name: number });

const waitForFocus = (field: Locator) => field.and(page.locator(':focus')).waitFor();
async function expectValue(field: Locator, value: string): Promise<void> {
  await expect.poll(() => field.inputValue(), EVENTUALLY).toBe(value);
}

async function discard(): Promise<void> {
  await dialog().getByRole('button', { name: 'Discard' }).click();
  await waitUntilNoDialog();
}

test('text typed right after the key c goes into the recipient field, and Enter does not close the dialog', async () => {
  await page.keyboard.press('c');
  await dialog().waitFor();
  await page.keyboard.type('14155550142');
  await expectValue(to(), '1 (415) 555-0142');
  await page.keyboard.press('Enter');
  await dialog().getByText('Write a message of at most 1,600 characters.').waitFor();
  await waitForFocus(text());
  await discard();
});

test('a second Enter does not close the dialog that shows a created API key', async () => {
  await page.goto(`${view}/settings/api-keys`);
  await page.getByLabel('Name').fill('Enter, Enter');
  await page.keyboard.press('Enter');
  const key = page.getByRole('dialog').locator('[data-key]');
  await key.waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  expect(await key.isVisible()).toBe(true);
  await page.getByRole('button', { name: 'I have copied it' }).click();
});

test('Enter right after a click on Revoke does not confirm, and the API key is kept', async () => {
  await page.goto(`${view}/settings/api-keys`);
  await page.getByRole('button', { name: 'Revoke Web shop' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Revoke Web shop' }).count()).toBe(1);
});

test.each([
  ['+14155550104, +14155550105', 'Enter one phone number, for example (415) 555-0123.'],
  ['+14155550104x99', 'Remove the extension. Text messages can’t reach it.'],
])('the recipient %s is refused at its field, and nothing is sent', async (recipient, message) => {
  await page.keyboard.press('c');
  await to().fill(recipient);
  await dialog().getByText(message).waitFor();
  expect(await to().getAttribute('aria-invalid')).toBe('true');
  await text().fill('To one recipient only');
  await sendButton().click();
  await waitForFocus(to());
  expect(await to().inputValue()).toBe(recipient);
  expect(await countSent('+14155550104')).toBe(0);
  await discard();
});

test('a text over the character limit disables Send in the composer and in a thread', async () => {
  await page.keyboard.press('c');
  await to().fill(MAYA);
  await text().fill('x'.repeat(1_601));
  await expect.poll(() => sendButton().isDisabled(), EVENTUALLY).toBe(true);
  await text().fill('x'.repeat(1_600));
  await expect.poll(() => sendButton().isEnabled(), EVENTUALLY).toBe(true);
  await discard();

  await openThread(MAYA);
  await reply().fill('x'.repeat(1_601));
  const sendReply = page.getByRole('button', { name: 'Send reply' });
  await expect.poll(() => sendReply.isDisabled(), EVENTUALLY).toBe(true);
  await reply().fill('');
});

test('an API error is shown at its field, in the user’s words', async () => {
  await page.keyboard.press('c');
  await to().fill('+14155550187');
  await text().fill('To someone who has opted out');
  await sendButton().click();
  const error = dialog().getByText('This number has opted out by sending STOP.');
  await error.waitFor();
  expect(await error.getAttribute('id')).toBe(await to().getAttribute('aria-describedby'));
  await discard();

  await page.goto(`${view}/settings/numbers`);
  await page.getByLabel('Number', { exact: true }).fill('+1 500 555 0006');
  await page.getByRole('button', { name: 'Add number' }).click();
  await page.getByText('This number is already in the list.').waitFor();

  await page.goto(`${view}/settings/members`);
  await page.getByLabel('Email').fill('nobody');
  await page.getByRole('button', { name: 'Create invitation' }).click();
  await page.getByText('Enter an email address, for example ada@example.com.').waitFor();
});

test('credentials that the provider refuses show an error at their field and are not stored', async () => {
  await page.goto(`${view}/settings/provider`);
  // The simulator accepts the first token of an account as its own.
  await page.getByRole('button', { name: 'Verify Twilio' }).click();
  await page.getByText(/The Twilio account .+ is active/).waitFor();
  const before = await stack.request('GET', `${api}/provider`);
  await page.getByRole('button', { name: 'Change Twilio' }).click();
  const form = page.getByRole('dialog', { name: 'Change Twilio' });
  const token = form.getByLabel('Auth token');
  await form.getByLabel('Account SID').fill('AC123');
  await token.fill('0'.repeat(32));
  const saveButton = form.getByRole('button', { name: 'Save account' });
  await saveButton.click();
  await form.getByText('Enter the account SID: AC followed by 32 digits').waitFor();

  await form.getByLabel('Account SID').fill(stack.owner.accountSid);
  await saveButton.click();
  const error = form.getByText('The provider does not accept these credentials.');
  await error.waitFor();
  expect(await error.getAttribute('id')).toBe(await token.getAttribute('aria-describedby'));
  expect(await stack.request('GET', `${api}/provider`)).toEqual(before);

  await token.fill(stack.owner.authToken);
  await saveButton.click();
  await form.waitFor({ state: 'detached' });
});

test('a reply that fails to send is restored together with the text that was typed after it', async () => {
  await openThread(MAYA);
  const route = `**${api}/messages`;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(route, async (request) => {
    if (request.request().method() !== 'POST') return request.fallback();
    await held;
    return request.continue();
  });
  const before = await countSent(MAYA);
  await reply().fill('First');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Second');
  release();
  await expect.poll(() => countSent(MAYA), EVENTUALLY).toBe(before + 1);
  await page.getByRole('log').getByText('First', { exact: true }).waitFor();
  expect(await reply().inputValue()).toBe('Second');
  await page.unroute(route);
  // The message can arrive live before the response, and one reply is sent at a time.
  const sendReply = page.getByRole('button', { name: 'Send reply' });
  await expect.poll(() => sendReply.isEnabled(), EVENTUALLY).toBe(true);

  await page.route(route, (request) =>
    request.request().method() === 'POST' ? request.abort() : request.fallback(),
  );
  // The button is enabled when the first reply has its response.
  await page.getByRole('button', { name: 'Send reply' }).click();
  await page.getByText('The server can’t be reached.').waitFor();
  await expectValue(reply(), 'Second');
  await page.unroute(route);
  await reply().fill('');
});

test.each([
  { when: 'after the messages are loaded', isLoaded: true },
  { when: 'before the messages are loaded', isLoaded: false },
])(
  'a reply sent $when that is shown although its response was lost is not sent again with the text that was typed after it',
  async ({ isLoaded }) => {
    let load = (): void => undefined;
    const loading = new Promise<void>((resolve) => (load = resolve));
    const list = `**${api}/conversations/*/messages?**`;
    await page.route(list, async (request) => {
      await loading;
      return request.fallback();
    });
    if (isLoaded) load();
    await openThread(MAYA);
    if (isLoaded) await page.getByRole('log').getByText('First', { exact: true }).waitFor();
    const route = `**${api}/messages`;
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    await page.route(route, async (request) => {
      if (request.request().method() !== 'POST') return request.fallback();
      await request.fetch();
      await lost;
      return request.abort();
    });
    const before = await countSent(MAYA);
    const [first, second] = isLoaded
      ? ['On my way', 'See you there']
      : ['I am late', 'Ten minutes'];
    await reply().fill(first);
    await page.keyboard.press('Enter');
    load();
    await page.getByRole('log').getByText(first, { exact: true }).waitFor();
    await page.keyboard.type(second);
    lose();
    await page.getByText('The server can’t be reached.').waitFor();
    await page.unroute(route);
    await page.unroute(list);
    expect(await reply().inputValue()).toBe(second);
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText(second, { exact: true }).waitFor();
    // The same text is a new reply: the user was not asked to send it again.
    await reply().fill(first);
    await page.keyboard.press('Enter');
    await expect.poll(() => countSent(MAYA), EVENTUALLY).toBe(before + 3);
  },
);

test('each thread keeps its own draft while another thread is open', async () => {
  await stack.receive(LEO, 'Are you there?');
  await openThread(MAYA);
  await reply().fill('For Maya');
  await threadLink(/0161/).click();
  await page.getByRole('log').getByText('Are you there?').waitFor();
  await expectValue(reply(), '');
  await reply().fill('For Leo');
  await threadLink(/Maya Okafor/).click();
  await expectValue(reply(), 'For Maya');
  await page.reload();
  await expectValue(reply(), 'For Maya');
});

test('Escape closes the composer and keeps the draft, and Discard deletes it', async () => {
  await page.keyboard.press('c');
  await to().fill(MAYA);
  await text().fill('Half a thought');
  await page.keyboard.press('Escape');
  await waitUntilNoDialog();
  await page.keyboard.press('c');
  await expectValue(text(), 'Half a thought');
  await expectValue(to(), '+1 415 555 0142');
  await discard();
  await page.keyboard.press('c');
  await expectValue(text(), '');
  await discard();
});

test('drafts are deleted when the user signs out', async () => {
  await page.keyboard.press('c');
  await text().fill('Private draft');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Workspaces and account' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expect.poll(() => page.evaluate<number>('sessionStorage.length'), EVENTUALLY).toBe(0);
  // One test made a request fail on purpose.
  expect(opened.errors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([]);
});
