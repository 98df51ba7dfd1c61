import type { Member, Note } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { api, browser, stack, useStack, view } from './use-dashboard.ts';

const ADA = '+14155550191';

useStack({ fill: () => stack.request('POST', `${api}/numbers`, { number: '+15005550006' }) });

let opened: OpenPage;
let context: BrowserContext;
/** Two tabs of one browser. */
let first: Page;
let second: Page;

beforeAll(async () => {
  opened = await openPage(browser);
  first = opened.page;
  context = first.context();
  // Records the notifications, and lets the test hide a tab, because a headless tab is never hidden.
  await context.addInitScript(`
    window.shown = [];
    window.Notification = class extends Notification {
      constructor(title, options) {
        super(title, options);
        window.shown.push({ title, body: options.body });
        window.latest = this;
      }
      // A headless browser cannot ask its user, and reports every permission as denied.
      static get permission() {
        return localStorage.getItem('answer') ?? 'default';
      }
      static async requestPermission() {
        window.asked = (window.asked ?? 0) + 1;
        localStorage.setItem('answer', window.answer);
        return window.answer;
      }
    };
    window.AudioContext = class extends AudioContext {
      createOscillator() {
        window.sounds = (window.sounds ?? 0) + 1;
        return super.createOscillator();
      }
    };
    let visibility = 'visible';
    Object.defineProperty(document, 'visibilityState', { get: () => visibility });
    window.setVisibility = (next) => {
      visibility = next;
      document.dispatchEvent(new Event('visibilitychange'));
    };
  `);
  await signIn(first, stack);
});
afterAll(() => opened.close());

const account = () => first.goto(`${view}/settings/account`);
const choice = (name: string) => first.getByRole('checkbox', { name: new RegExp(`^${name}`) });
const shownIn = (page: Page) => page.evaluate<{ title: string; body: string }[]>('window.shown');
const hide = (page: Page) => page.evaluate("window.setVisibility('hidden')");
const all = async () => [...(await shownIn(first)), ...(await shownIn(second))];

test('permission for notifications is requested only after a click, and a refusal is explained', async () => {
  await account();
  await choice('Desktop notifications').waitFor();
  expect(await first.evaluate('window.asked ?? 0')).toBe(0);
  await first.evaluate("window.answer = 'denied'");
  await choice('Desktop notifications').click();
  await first.getByText('This browser blocks notifications from this address').waitFor();
  expect(await first.evaluate('window.asked')).toBe(1);
  expect(await choice('Desktop notifications').isChecked()).toBe(false);
});

test('only one of two hidden tabs notifies of a message, an assignment and a mention, and neither does while one is visible', async () => {
  await account();
  await first.evaluate("window.answer = 'granted'");
  await choice('Desktop notifications').click();
  await expect.poll(() => choice('Desktop notifications').isChecked(), EVENTUALLY).toBe(true);
  expect(await shownIn(first)).toEqual([{ title: 'Notifications are on', body: undefined }]);
  await first.evaluate('window.shown.length = 0');
  await choice('Sound').check();
  second = await context.newPage();
  await second.goto(`${view}/contacts`);
  for (const page of [first, second]) {
    await page.locator('[data-connection=live]:visible').waitFor();
    await hide(page);
  }
  await stack.receive(ADA, 'Is my order ready?');
  await expect
    .poll(all, EVENTUALLY)
    .toEqual([{ title: '+1 415 555 0191', body: 'Is my order ready?' }]);
  const sounds = 'window.sounds ?? 0';
  expect([await first.evaluate(sounds), await second.evaluate(sounds)]).toEqual([4, 0]);

  const { invite_token } = await stack.request<{ invite_token: string }>('POST', `${api}/members`, {
    email: 'grace@example.com',
    role: 'member',
  });
  const grace = await stack.requestAs<{ token: string }>(null, 'POST', '/api/ui/users', {
    email: 'grace@example.com',
    name: 'Grace',
    password: 'a long sentence as password',
    invite_token,
  });
  const talk = `${api}/conversations/${encodeURIComponent(ADA)}`;
  await stack.requestAs(grace.token, 'PATCH', talk, { assignee_id: stack.owner.userId });
  await expect
    .poll(async () => (await all()).at(-1), EVENTUALLY)
    .toEqual({
      title: 'A conversation was assigned to you',
      body: '+1 415 555 0191',
    });
  const note = { body: '@Owner, please call', mentions: [stack.owner.userId] };
  await stack.requestAs(grace.token, 'POST', `${talk}/notes`, note);
  await expect
    .poll(async () => (await all()).at(-1), EVENTUALLY)
    .toEqual({
      title: 'Grace mentioned you',
      body: '@Owner, please call',
    });

  // An edit notifies a user whom the note did not mention before, and no user twice.
  const other = { body: 'Please call', mentions: [] };
  const { id } = await stack.requestAs<Note>(grace.token, 'POST', `${talk}/notes`, other);
  const edit = (change: object) =>
    stack.requestAs(grace.token, 'PATCH', `${talk}/notes/${id}`, change);
  await edit({ ...note, body: '@Owner, please call' });
  await expect
    .poll(
      async () => (await all()).filter(({ title }) => title === 'Grace mentioned you'),
      EVENTUALLY,
    )
    .toHaveLength(2);
  await edit({ ...note, body: '@Owner, please call today' });
  await edit(other);
  await edit(note);

  // The user’s own note and an assignment to a colleague cause no notification: only the message
  // after them does.
  const members = await stack.request<{ data: Member[] }>('GET', `${api}/members`);
  const colleague = members.data.find(({ name }) => name === 'Grace');
  const before = await all();
  await stack.request('POST', `${talk}/notes`, note);
  await stack.requestAs(grace.token, 'PATCH', talk, { assignee_id: colleague?.user_id });
  await stack.receive(ADA, 'And my bill?');
  await expect
    .poll(all, EVENTUALLY)
    .toEqual([...before, { title: '+1 415 555 0191', body: 'And my bill?' }]);

  await second.evaluate("window.setVisibility('visible')");
  await stack.receive(ADA, 'Seen in the second tab');
  await expect.poll(async () => Number(await first.evaluate(sounds)), EVENTUALLY).toBe(14);
  await hide(second);
  await stack.receive(ADA, 'Hidden again');
  await expect.poll(async () => (await all()).at(-1)?.body, EVENTUALLY).toBe('Hidden again');
  expect((await all()).map(({ body }) => body)).not.toContain('Seen in the second tab');
});

test('when the tab that shows notifications is closed, the other tab takes over, with hidden content and a click that opens the conversation', async () => {
  await choice('Hide names and message text').check();
  const notifying = (await shownIn(first)).length > 0 ? first : second;
  const other = notifying === first ? second : first;
  await notifying.close();
  // The lock of the tab that notifies passes to the other tab.
  const isElected = `navigator.locks.query().then(({ held, pending }) =>
    held.some(({ mode }) => mode === 'exclusive') && pending.length === 0)`;
  await expect.poll(() => other.evaluate(isElected), EVENTUALLY).toBe(true);
  await stack.receive(ADA, 'A secret');
  await expect
    .poll(() => shownIn(other), EVENTUALLY)
    .toEqual([{ title: 'Switchboard', body: 'New message' }]);
  await other.evaluate("window.latest.dispatchEvent(new Event('click'))");
  await other.waitForURL(`**/conversations/${encodeURIComponent(ADA)}`);
  expect(opened.errors).toEqual([]);
});
