import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillConversations, numberOf } from './fill-conversations.ts';
import { launchChromium } from './launch-chromium.ts';
import { openPage, signIn } from './open-page.ts';
import { type Stack, startStack } from './start-stack.ts';

const CONVERSATIONS = 1_000;
const DRAWN_AT_MOST = 40;

let stack: Stack;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchChromium()]);
  await fillConversations(stack, CONVERSATIONS);
  const path = `/api/ui/workspaces/${stack.owner.workspaceId}/numbers`;
  await stack.ask('POST', path, { number: '+15005550006' });
  ({ page } = await openPage(browser));
  await signIn(page, stack);
  await page.getByRole('link', { name: 'Conversations' }).first().click();
  await rows().first().waitFor();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const rows = () => page.locator('[data-conversation]');
const first = () => rows().first().getAttribute('data-conversation');
const row = (number: string) => page.locator(`[data-conversation="${number}"]`);
const heading = () => page.getByRole('heading', { name: 'Conversations', level: 1 });

test('only the rows in sight are drawn, and scrolling leads to the oldest of a thousand', async () => {
  expect(await first()).toBe(numberOf(CONVERSATIONS - 1));
  await rows().first().hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 20_000);
      return row(numberOf(0)).count();
    })
    .toBe(1);
  expect(await rows().count()).toBeLessThan(DRAWN_AT_MOST);
  await page.mouse.wheel(0, -100_000);
  await row(numberOf(CONVERSATIONS - 1)).waitFor();
  await heading().hover();
});

test('no row moves under the pointer: what is new waits, and comes in when the pointer leaves', async () => {
  const top = await first();
  await rows().nth(2).hover();
  await stack.receive(numberOf(5), 'Up from far below');
  await page.getByRole('button', { name: '1 update' }).waitFor();
  expect(await first()).toBe(top);
  await heading().hover();
  await expect.poll(first).toBe(numberOf(5));
  await row(numberOf(5)).getByText('Up from far below').waitFor();
});

test('a click between two messages opens the conversation that was under the pointer', async () => {
  const target = rows().nth(3);
  const number = await target.getAttribute('data-conversation');
  await target.hover();
  await page.mouse.down();
  await stack.receive(numberOf(7), 'Between press and release');
  await page.getByRole('button', { name: '1 update' }).waitFor();
  await page.mouse.up();
  await page.waitForURL(`**/conversations/${encodeURIComponent(number ?? '')}`);
  await heading().hover();
  await expect.poll(first).toBe(numberOf(7));
});
