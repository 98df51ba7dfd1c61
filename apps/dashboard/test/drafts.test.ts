import type { MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { beforeEach, expect, test } from 'vitest';
import { api, page, stack, useDashboard, view } from './use-dashboard.ts';

const ADA = '+14155550171';
const BOB = '+14155550172';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    for (const number of [ADA, BOB]) await stack.receive(number, 'Hello');
  },
});

const log = () => page.getByRole('log');
const reply = () => page.getByRole('textbox', { name: 'Reply' });
const time = () => page.getByLabel('Send at');
const sent = async (to: string) => {
  const path = `${api}/messages?direction=outbound&to=${encodeURIComponent(to)}`;
  return (await stack.request<MessageList>('GET', path)).messages;
};

beforeEach(async () => {
  await page.goto(`${view}/conversations/${ADA}`);
  await log().getByText('Hello').first().waitFor();
});

/** Tomorrow at noon, as the value of the field. */
/** Noon of the day after tomorrow in UTC, which has not passed in any time zone. */
function inTwoDays(): string {
  const at = new Date(Date.now() + 2 * 86_400_000);
  return `${at.toISOString().slice(0, 10)}T12:00`;
}

test('the time of a reply survives another conversation, a note and a reload, and Enter schedules the reply', async () => {
  const at = inTwoDays();
  await reply().fill('For later');
  await page.getByRole('button', { name: 'Send later' }).click();
  await time().fill(at);
  const expectTime = async () => {
    await expect.poll(() => time().inputValue(), EVENTUALLY).toBe(at);
  };

  const list = page.getByRole('region', { name: 'Conversations' });
  await list.getByRole('link', { name: /415 555 0172/ }).click();
  await page.getByRole('button', { name: 'Send later' }).waitFor();
  await list.getByRole('link', { name: /415 555 0171/ }).click();
  await expectTime();
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await expectTime();
  await reload();
  await expectTime();

  await reply().press('Enter');
  await log()
    .getByText(/^Scheduled for /)
    .waitFor();
  expect(await sent(ADA)).toMatchObject([{ body: 'For later', status: 'scheduled' }]);
  await page.getByRole('button', { name: 'Send later' }).waitFor();
});

test('the time of a new message is kept when it is the only thing that was chosen', async () => {
  const at = inTwoDays();
  const dialog = page.getByRole('dialog', { name: 'New message' });
  await page.locator('body').press('c');
  await dialog.getByRole('button', { name: 'Send later' }).click();
  await dialog.getByLabel('Send at').fill(at);
  await page.keyboard.press('Escape');
  await page.reload();
  await log().getByText('Hello').first().waitFor();
  await page.locator('body').press('c');
  expect(await dialog.getByLabel('Send at').inputValue()).toBe(at);
  await dialog.getByRole('button', { name: 'Discard' }).click();
});

test.each([
  ['a visit to another conversation', 'Are you still there?', visitBob],
  ['a reload', 'Your table is ready', reload],
])(
  'a reply whose response was lost is sent once, although it is tried again after %s',
  async (_, text, leave) => {
    const path = `**${api}/messages`;
    let attempts = 0;
    await page.route(path, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      attempts += 1;
      if (attempts > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await reply().fill(text);
    await reply().press('Enter');
    await expect.poll(() => reply().inputValue(), EVENTUALLY).toBe(text);
    await leave();
    await expect.poll(() => reply().inputValue(), EVENTUALLY).toBe(text);
    await reply().press('Enter');
    await expect.poll(() => attempts, EVENTUALLY).toBe(2);
    await expect.poll(() => reply().inputValue(), EVENTUALLY).toBe('');
    await page.unroute(path);
    await expect
      .poll(async () => (await sent(ADA)).filter(({ body }) => body === text).length, EVENTUALLY)
      .toBe(1);
    await log().getByText(text).waitFor();
    expect(await log().getByText(text).count()).toBe(1);
  },
);

async function reload(): Promise<void> {
  await page.reload();
  await log().getByText('Hello').first().waitFor();
}

async function visitBob(): Promise<void> {
  const list = page.getByRole('region', { name: 'Conversations' });
  await list.getByRole('link', { name: /415 555 0172/ }).click();
  await expect.poll(() => reply().inputValue(), EVENTUALLY).toBe('');
  await list.getByRole('link', { name: /415 555 0171/ }).click();
}

test('a reply comes from the number that received the last message, although the workspace has more than a page of numbers', async () => {
  const own = '+15005550199';
  for (let n = 0; n < 100; n += 1)
    await stack.request('POST', `${api}/numbers`, { number: `+1500556${1000 + n}` });
  await stack.request('POST', `${api}/numbers`, { number: own });
  const to = '+14155550179';
  await stack.request('POST', `${api}/messages`, { to, from: own, body: 'Welcome' });
  await page.goto(`${view}/conversations/${to}`);
  await log().getByText('Welcome').waitFor();
  await reply().fill('Anything else?');
  await reply().press('Enter');
  await log().getByText('Anything else?').waitFor();
  expect((await sent(to)).map(({ from }) => from)).toEqual([own, own]);
});

test('a reply that is sent before the messages are loaded comes from the number of its conversation', async () => {
  const to = '+14155550178';
  await stack.request('POST', `${api}/numbers`, { number: '+15005550198' });
  await stack.request('POST', `${api}/messages`, { to, from: '+15005550198', body: 'Welcome' });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const path = '**/conversations/*/messages?*';
  await page.route(path, async (route) => {
    await held;
    return route.fallback();
  });
  await page.goto(`${view}/conversations/${to}`);
  await reply().fill('Anything else?');
  await reply().press('Enter');
  await expect.poll(() => reply().inputValue(), EVENTUALLY).toBe('');
  release();
  await log().getByText('Anything else?').waitFor();
  await page.unroute(path);
  expect((await sent(to)).map(({ from }) => from)).toEqual(['+15005550198', '+15005550198']);
});

/** Dispatches a key as Safari does: the composition has ended, and only `keyCode` shows that it used the key. */
const pressInSafari = (selector: string, key: string) =>
  page.evaluate(`(() => {
    const field = document.querySelector(${JSON.stringify(selector)});
    const init = { bubbles: true, cancelable: true };
    field.dispatchEvent(new CompositionEvent('compositionend', init));
    field.dispatchEvent(new KeyboardEvent('keydown', { ...init, key: ${JSON.stringify(key)}, keyCode: 229 }));
  })()`);
/** Dispatches a key during a composition, as the other browsers do. */
const pressWhileComposing = (selector: string, key: string) =>
  page.evaluate(
    `document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new KeyboardEvent('keydown',
      { bubbles: true, cancelable: true, key: ${JSON.stringify(key)}, isComposing: true }))`,
  );

test('Enter that accepts a word of an input method sends nothing, in a reply and in a note', async () => {
  const before = (await sent(ADA)).length;
  await reply().fill('予約の確認を');
  await reply().focus();
  await pressInSafari('textarea', 'Enter');
  await pressWhileComposing('textarea', 'Enter');
  expect(await reply().inputValue()).toBe('予約の確認を');
  await reply().fill('予約の確認をお願いします');
  await reply().press('Enter');
  await log().getByText('予約の確認をお願いします').waitFor();
  expect((await sent(ADA)).map(({ body }) => body).slice(0, -before || undefined)).toEqual([
    '予約の確認をお願いします',
  ]);

  await page.getByRole('button', { name: 'Note', exact: true }).click();
  const note = page.getByRole('textbox', { name: 'Note' });
  await note.fill('확인');
  await pressInSafari('textarea', 'Enter');
  expect(await note.inputValue()).toBe('확인');
  await note.press('Enter');
  await log().locator('[data-note]').getByText('확인').waitFor();
});

test('Escape during a composition keeps the editor of a note and a dialog open, with what was typed', async () => {
  const note = log().locator('[data-note]').last();
  await note.getByRole('button', { name: 'Edit this note' }).click();
  const editor = page.getByRole('textbox', { name: 'Note text' });
  await editor.fill('確認しました');
  await pressInSafari('[data-note] textarea', 'Escape');
  await pressWhileComposing('[data-note] textarea', 'Escape');
  expect(await editor.inputValue()).toBe('確認しました');
  await editor.press('Escape');
  await editor.waitFor({ state: 'detached' });

  await page.locator('body').press('c');
  const text = page.getByRole('dialog').getByLabel('Message', { exact: true });
  await text.fill('こんにちは');
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', {
    text: 'せかい',
    selectionStart: 3,
    selectionEnd: 3,
  });
  await page.keyboard.press('Escape');
  expect(await text.isVisible()).toBe(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
});

test.each([
  ['that was refused', async () => undefined, 400],
  ['whose response was lost ten minutes ago', () => page.clock.fastForward('11:00'), 201],
])('the text of a reply %s is a new message when it is sent again', async (what, wait, status) => {
  await page.clock.install();
  await page.reload();
  await log().getByText('Hello').first().waitFor();
  const keys: (string | undefined)[] = [];
  const path = `**${api}/messages`;
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    if (status === 201) return route.abort();
    const json = { error: 'invalid_params', detail: '`from` must be a number of the workspace' };
    return route.fulfill({ status, json });
  });
  const text = `Again: ${what}`;
  await reply().fill(text);
  await reply().press('Enter');
  await expect.poll(() => reply().inputValue(), EVENTUALLY).toBe(text);
  await wait();
  await reply().press('Enter');
  await expect.poll(() => keys.length, EVENTUALLY).toBe(2);
  await page.unroute(path);
  expect(new Set(keys).size).toBe(2);
});
