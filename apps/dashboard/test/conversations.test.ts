import { EVENTUALLY } from '@switchboard/testing';
import { beforeEach, expect, test } from 'vitest';
import { fillConversations, numberOf } from './fill-conversations.ts';
import { api, page, stack, useDashboard, view } from './use-dashboard.ts';

/** Fills six pages of the list. */
const CONVERSATIONS = 300;
const LOAD_TIMEOUT_MS = 60_000;
const MAX_RENDERED_ROWS = 40;
/** The simulated carrier filters messages to this number. */
const FAILING = '+15005550015';

useDashboard({
  async fill() {
    await fillConversations(stack, CONVERSATIONS);
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
  },
});
beforeEach(async () => {
  await page.mouse.move(0, 0);
  await page.goto(`${view}/conversations`);
  await rows().first().waitFor();
  await page.locator('[data-connection=live]:visible').waitFor();
});

const rows = () => page.locator('[data-conversation]');
const first = () => rows().first().getAttribute('data-conversation');
const row = (number: string) => page.locator(`[data-conversation="${number}"]`);
const heading = () => page.getByRole('heading', { name: 'Conversations', level: 1 });

test(
  'only visible conversations are rendered, and scrolling reaches the oldest one',
  { timeout: 2 * LOAD_TIMEOUT_MS },
  async () => {
    expect(await first()).toBe(numberOf(CONVERSATIONS - 1));
    await rows().first().hover();
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 20_000);
          return row(numberOf(0)).count();
        },
        { timeout: LOAD_TIMEOUT_MS },
      )
      .toBe(1);
    expect(await rows().count()).toBeLessThan(MAX_RENDERED_ROWS);
  },
);

test('no conversation moves under the pointer, and updates appear when the pointer leaves', async () => {
  const top = await first();
  await rows().nth(2).hover();
  await stack.receive(numberOf(5), 'Up from far below');
  await page.getByRole('button', { name: '1 update' }).waitFor();
  // Both buttons fit into the column.
  const mentions = await page.getByRole('button', { name: 'Mentions' }).boundingBox();
  const column = await page.getByRole('region', { name: 'Conversations' }).boundingBox();
  if (mentions === null || column === null) throw new Error('The list is not visible.');
  expect(mentions.x + mentions.width).toBeLessThanOrEqual(column.x + column.width);
  expect(await first()).toBe(top);
  await heading().hover();
  await expect.poll(first, EVENTUALLY).toBe(numberOf(5));
  await row(numberOf(5)).getByText('Up from far below').waitFor();
});

test('a click opens the conversation under the pointer while messages arrive', async () => {
  const target = rows().nth(3);
  const number = await target.getAttribute('data-conversation');
  await target.hover();
  await page.mouse.down();
  await stack.receive(numberOf(7), 'Between press and release');
  await page.getByRole('button', { name: '1 update' }).waitFor();
  await page.mouse.up();
  await page.waitForURL(`**/conversations/${encodeURIComponent(number ?? '')}`);
  const link = row(number ?? '').getByRole('link');
  await expect.poll(() => link.getAttribute('aria-current'), EVENTUALLY).toBe('page');
  await heading().hover();
  await expect.poll(first, EVENTUALLY).toBe(numberOf(7));
});

test('a thread stays at its end while messages fail and while a reply of several lines is written', async () => {
  await page.goto(`${view}/conversations/${FAILING}`);
  await page.getByText('No messages yet.').waitFor();
  for (let sent = 0; sent < 12; sent += 1) {
    await stack.request('POST', `${api}/messages`, { to: FAILING, body: `Message ${sent}` });
  }
  const reasons = page.getByRole('log').getByText('A carrier filtered the message');
  await expect.poll(() => reasons.count(), EVENTUALLY).toBe(12);
  const belowEnd = () =>
    page.evaluate(`(({ scrollHeight, scrollTop, clientHeight }) =>
      Math.round(scrollHeight - scrollTop - clientHeight))(
        document.querySelector('[role=log]').closest('.scroller'))`);
  await expect.poll(belowEnd, EVENTUALLY).toBe(0);

  const field = page.getByRole('textbox', { name: 'Reply' });
  const heightOf = async () => (await field.boundingBox())?.height ?? 0;
  const before = await heightOf();
  await field.fill('One\nTwo\nThree\nFour\nFive');
  await expect.poll(heightOf, EVENTUALLY).toBeGreaterThan(before + 20);
  await expect.poll(belowEnd, EVENTUALLY).toBe(0);
});
