import { EVENTUALLY, openTestDatabase } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { api, browser, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const OURS = '+15005550006';
/** A conversation with messages from everyone who can write one. */
const ADA = '+14155550171';
/** A conversation with several pages of messages. */
const LEIF = '+14155550172';
const LONG = 240;

let theirs: OpenPage;

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: OURS });
    await stack.receive(ADA, 'Is my order ready?');
    await fillLongThread();
  },
});
beforeAll(async () => {
  theirs = await openPage(browser);
});
afterAll(() => theirs.close());

/** Stores messages of different heights in both directions, the last one a minute ago. */
async function fillLongThread(): Promise<void> {
  const database = openTestDatabase(stack.database.url);
  try {
    await database.pool.query(
      `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
         created_at, updated_at, dispatch, sent_by, sent_by_id)
       SELECT uuid_v7(at), $1, (CASE WHEN n % 3 = 0 THEN 'inbound' ELSE 'outbound' END)::direction,
         CASE WHEN n % 3 = 0 THEN $3 ELSE $4 END, CASE WHEN n % 3 = 0 THEN $4 ELSE $3 END,
         'Message ' || n || repeat(' with more words', n % 7 * 4), 1,
         (CASE WHEN n % 3 = 0 THEN 'received' ELSE 'delivered' END)::message_status, at, at, 'accepted',
         (CASE WHEN n % 3 = 0 THEN NULL ELSE 'user' END)::sender_kind, CASE WHEN n % 3 = 0 THEN NULL ELSE $5::uuid END
       FROM generate_series(1, $2::int) n,
         LATERAL (SELECT now() - ($2::int + 1 - n) * interval '1 minute' AS at) t`,
      [stack.owner.workspaceId, LONG, OURS, LEIF, stack.owner.userId],
    );
  } finally {
    await database.close();
  }
}

const thread = (number: string) => `${view}/conversations/${number}`;
const reply = () => page.getByRole('textbox', { name: 'Reply' });
const bubble = (text: string) =>
  page.getByRole('log').getByRole('listitem').filter({ hasText: text });

/** Returns the first message in view and its distance from the top of the window. */
const firstInView = () =>
  page.evaluate<{ text: string; top: number }>(`(() => {
    const scroller = document.querySelector('[role=log]').closest('.scroller');
    const { top } = scroller.getBoundingClientRect();
    const item = [...scroller.querySelectorAll('[role=log] li')]
      .filter((each) => /Message \\d/.test(each.textContent))
      .find((each) => each.getBoundingClientRect().bottom > top);
    return { text: item.textContent.match(/Message \\d+/)[0], top: item.getBoundingClientRect().top };
  })()`);
const placeOf = (text: string) =>
  page.evaluate<number>(
    `[...document.querySelectorAll('[role=log] li')].find((each) => each.textContent.match(/Message \\d+/)?.[0] === ${JSON.stringify(text)}).getBoundingClientRect().top`,
  );
const scrollThread = (top: number) =>
  page.evaluate(`document.querySelector('[role=log]').closest('.scroller').scrollTop = ${top}`);
const countItems = () =>
  page
    .getByRole('log')
    .getByText(/^Message \d/)
    .count();

test.each([0, 37, 400])(
  'older messages appear above without moving the message that is read, %i px below the top',
  async (offset) => {
    await page.goto(thread(LEIF));
    await page.getByRole('log').getByText(`Message ${LONG}`).waitFor();
    for (let loads = 0; loads < 2; loads += 1) {
      await scrollThread(offset);
      const before = await firstInView();
      const count = await countItems();
      // The click itself must not scroll to the button.
      await page.evaluate(
        `[...document.querySelectorAll('button')].find((each) => each.textContent === 'Show older messages').click()`,
      );
      await expect.poll(countItems, EVENTUALLY).toBeGreaterThan(count);
      expect(Math.abs((await placeOf(before.text)) - before.top)).toBeLessThanOrEqual(0.5);
    }
  },
);

test('each sent message names who wrote it, and “You” stands only for the user of this page', async () => {
  const { invite_token } = await stack.request<{ invite_token: string }>('POST', `${api}/members`, {
    email: 'grace@example.com',
    role: 'member',
  });
  await theirs.page.goto(`${stack.url}/sign-up#invite=${invite_token}`);
  await theirs.page.getByLabel('Name').fill('Grace Hopper');
  await theirs.page.getByLabel('Email').fill('grace@example.com');
  await theirs.page.getByLabel('Password').fill('a long sentence as password');
  await theirs.page.getByRole('button', { name: 'Create account' }).click();
  await theirs.page.locator('[data-connection=live]:visible').waitFor();
  await theirs.page.goto(thread(ADA));
  await theirs.page.getByRole('textbox', { name: 'Reply' }).fill('From a colleague');
  await theirs.page.keyboard.press('Enter');
  await theirs.page.getByRole('log').getByText('From a colleague').waitFor();

  const { key } = await stack.request<{ key: string }>('POST', `${api}/api-keys`, {
    name: 'Web shop',
  });
  await stack.requestAs(key, 'POST', '/api/messages', { to: ADA, body: 'From a program' });
  await page.goto(thread(ADA));
  await reply().fill('From me');
  await page.keyboard.press('Enter');

  const row = () => page.locator(`[data-conversation="${ADA}"]`);
  await bubble('From a colleague').getByText('Grace Hopper:').waitFor();
  await bubble('From a program').getByText('API key Web shop:').waitFor();
  await bubble('From me').getByText('You:').waitFor();
  await row().getByText('You:').waitFor();
  await theirs.page.getByText('From me').first().waitFor();
  const theirRow = theirs.page.locator(`[data-conversation="${ADA}"]`);
  await theirRow.getByText('Owner:').waitFor();
  expect(await page.getByRole('log').getByText('You:').count()).toBe(1);
  expect(await theirs.page.getByRole('log').getByText('You:').count()).toBe(1);

  await stack.receive(ADA, 'HELP');
  await row().getByText('Automatic reply to HELP:').waitFor();
  await stack.receive(ADA, 'STOP');
  await row().getByText('Automatic reply to STOP:').waitFor();
  await page.getByRole('log').getByText('Automatic reply to STOP:').waitFor();
  await stack.receive(ADA, 'START');
  await row().getByText('Automatic reply to START:').waitFor();
});

/** Measures the height of the thread, and of the part of the page that is visible. */
const heights = () =>
  page.evaluate<{ thread: number; bottom: number }>(`(() => {
    const scroller = document.querySelector('[role=log]').closest('.scroller');
    return {
      thread: scroller.getBoundingClientRect().height,
      bottom: document.querySelector('textarea').getBoundingClientRect().bottom,
    };
  })()`);

test.each([
  [360, 400],
  [360, 340],
  [375, 300],
  [412, 280],
  [320, 260],
  [844, 200],
])(
  'with the keyboard open, half of the %i × %i px above it are messages, and the text field is in view',
  async (width, height) => {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(thread(LEIF));
    await page.getByRole('log').getByText(`Message ${LONG}`).waitFor();
    await reply().focus();
    await page.setViewportSize({ width, height });
    await reply().fill('A text\nof three\nlines');
    await expect
      .poll(async () => (await heights()).thread, EVENTUALLY)
      .toBeGreaterThanOrEqual(height / 2);
    expect((await heights()).bottom).toBeLessThanOrEqual(height);
    await page.getByRole('log').getByText(`Message ${LONG}`).waitFor();
    await reply().fill('');
    await page.setViewportSize({ width: 1360, height: 820 });
  },
);

test('where the keyboard only covers the page, as in Safari, the thread ends above the keyboard', async () => {
  const phone = await openPage(browser, { viewport: { width: 390, height: 664 } });
  await phone.page.addInitScript(`
    const viewport = Object.assign(new EventTarget(), { height: 664, offsetTop: 0, scale: 1 });
    Object.defineProperty(window, 'visualViewport', { value: viewport });
  `);
  await signIn(phone.page, stack);
  await phone.page.goto(thread(LEIF));
  const field = phone.page.getByRole('textbox', { name: 'Reply' });
  await field.focus();
  const resize = (values: object) =>
    phone.page.evaluate(
      `Object.assign(visualViewport, ${JSON.stringify(values)}).dispatchEvent(new Event('resize'))`,
    );
  const bottom = async () => {
    const box = await field.boundingBox();
    return Math.round((box?.y ?? 0) + (box?.height ?? 0));
  };
  const height = async () =>
    (await phone.page.locator('.scroller', { has: phone.page.getByRole('log') }).boundingBox())
      ?.height;
  await resize({ height: 330, offsetTop: 60 });
  await expect.poll(bottom, EVENTUALLY).toBeLessThanOrEqual(390);
  expect(await bottom()).toBeGreaterThan(300);
  expect(await height()).toBeGreaterThanOrEqual(165);
  // Zooming in shows a part of the page, and does not change its layout.
  await resize({ height: 200, offsetTop: 0, scale: 2 });
  await expect.poll(bottom, EVENTUALLY).toBeGreaterThan(500);
  await phone.close();
});

test('no page logs an error during the tests of threads', () => {
  expect([...opened.errors, ...theirs.errors]).toEqual([]);
});

test('marks of direction in a name or a text never reorder what is beside them', async () => {
  const database = openTestDatabase(stack.database.url);
  await database.pool.query('UPDATE users SET name = $2 WHERE id = $1', [
    stack.owner.userId,
    '\u2069\u202EOwner 12',
  ]);
  await database.close();
  const text = '\u2069\u202EEvil (see https://example.com/a_(b)/\u202Egpj)';
  await stack.receive(LEIF, text);
  const notes = `${api}/conversations/${encodeURIComponent(LEIF)}/notes`;
  await stack.request('POST', notes, { body: 'Called' });
  await page.goto(thread(LEIF));
  const note = page.locator('[data-note]');
  const leftOf = async (selector: string) => (await note.locator(selector).boundingBox())?.x ?? 0;
  await note.waitFor();
  expect(await leftOf('time')).toBeGreaterThan(await leftOf('bdi'));
  const link = page.getByRole('log').getByRole('link', { name: 'https://example.com/a_(b)/' });
  expect(await link.getAttribute('href')).toBe('https://example.com/a_(b)/');
});

test('a conversation is printed with all of its messages, by its button and by the keys of the browser', async () => {
  const window = await openPage(browser, { colorScheme: 'dark' });
  await window.page.addInitScript(
    'window.print = () => { window.prints = (window.prints ?? 0) + 1; }',
  );
  await signIn(window.page, stack);
  await window.page.goto(thread(LEIF));
  const log = window.page.getByRole('log');
  await log.getByText(`Message ${LONG}`).waitFor();
  const count = () => log.getByText(/^Message \d/).count();
  const isPrinted = (text: RegExp) => window.page.getByText(text).isVisible();
  await window.page.emulateMedia({ media: 'print' });
  expect(await isPrinted(/Older messages or notes .* are missing/)).toBe(true);
  expect(await count()).toBeLessThan(LONG);

  await window.page.keyboard.press('Control+p');
  await expect.poll(() => window.page.evaluate('window.prints'), EVENTUALLY).toBe(1);
  expect(await count()).toBe(LONG);
  expect(await isPrinted(/Older messages or notes/)).toBe(false);
  expect(await window.page.getByRole('textbox', { name: 'Reply' }).isVisible()).toBe(false);
  // The background of a note, and what “Today” is, are not on the paper.
  const notes = log.locator('[data-note]');
  expect(await notes.getByText('Note:').first().isVisible()).toBe(true);
  expect(await notes.getByRole('button').count()).toBe(0);
  expect(await log.getByText('Today').first().isVisible()).toBe(false);
  const date = new Date().toLocaleDateString('en-US', { dateStyle: 'medium' });
  expect(await log.getByText(date).first().isVisible()).toBe(true);
  const pdf = (await window.page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(5);

  await window.page.emulateMedia({ media: 'screen' });
  await window.page.getByRole('button', { name: 'Print' }).click();
  await expect.poll(() => window.page.evaluate('window.prints'), EVENTUALLY).toBe(2);
  // The key of a Russian keyboard.
  await window.page.evaluate(
    `window.dispatchEvent(new KeyboardEvent('keydown', { key: 'з', code: 'KeyP', ctrlKey: true }))`,
  );
  await expect.poll(() => window.page.evaluate('window.prints'), EVENTUALLY).toBe(3);
  await window.close();
});

test.each([
  ['https://paypal.com@ехample.com/login', 'https://xn--ample-ywe6i.com/login'],
  ['https://bаnk.example（x）', 'https://xn--bnk-6cd.example'],
  ['詳細はhttps://example.com/x。次', 'https://example.com/x'],
])('the link in %s shows the host to which it leads', async (text, shown) => {
  await stack.receive(ADA, text);
  await page.goto(thread(ADA));
  const link = page.getByRole('log').getByRole('link').last();
  await expect.poll(() => link.textContent(), EVENTUALLY).toBe(shown);
  expect(new URL((await link.getAttribute('href')) ?? '').host).toBe(new URL(shown).host);
});
