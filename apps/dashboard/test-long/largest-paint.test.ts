import { expect, test } from 'vitest';
import { type History, fillHistory } from '../test/fill-history.ts';
import { type OpenPage, openPage, signIn } from '../test/open-page.ts';
import { browser, stack, useStack, view } from '../test/use-dashboard.ts';

const MAX_MS = 1_500;
/** How many times slower the emulated CPU is. */
const SLOWDOWN = 4;
const ROUNDS = Number(process.env['LARGEST_PAINT_ROUNDS'] ?? 3);
const SECTIONS = ['general', 'provider', 'numbers', 'webhooks', 'members', 'audit', 'account'];

let history: History;
useStack({
  async fill() {
    history = await fillHistory(stack);
  },
});

test(`the largest element of every page is painted within ${MAX_MS} ms on a CPU that is ${SLOWDOWN} times slower`, async () => {
  const pages = [
    'messages',
    `messages/${history.failedId}`,
    'conversations',
    `conversations/${history.friend}`,
    'contacts',
    'overview',
    ...SECTIONS.map((section) => `settings/${section}`),
  ].map((path) => `${view}/${path}`);
  const signedOut = await openPage(browser);
  const signedIn = await openPage(browser);
  await signedOut.page.goto(stack.url);
  await signIn(signedIn.page, stack);
  const slowest: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    slowest['sign-in'] = Math.max(
      slowest['sign-in'] ?? 0,
      await measure(signedOut, `${stack.url}/sign-in`),
    );
    for (const url of pages) {
      const name = url.slice(view.length + 1);
      slowest[name] = Math.max(slowest[name] ?? 0, await measure(signedIn, url));
    }
  }
  process.stdout.write(`largest paint, slowest of ${ROUNDS}: ${JSON.stringify(slowest)}\n`);
  expect(Object.entries(slowest).filter(([, ms]) => ms > MAX_MS)).toEqual([]);
  expect([...signedIn.errors, ...signedOut.errors]).toEqual([]);
  await Promise.all([signedIn.close(), signedOut.close()]);
});

/**
 * Loads a page in a new tab without a cache. Returns the milliseconds until its largest element was
 * painted.
 */
async function measure(opened: OpenPage, url: string): Promise<number> {
  const context = opened.page.context();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  // A new tab has the session of the first tab only if the storage is copied.
  const session = await opened.page.evaluate<Record<string, string>>('({ ...sessionStorage })');
  await page.addInitScript(`Object.assign(sessionStorage, ${JSON.stringify(session)})`);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  const painted = await page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    });
  })`);
  await page.close();
  return Math.round(painted);
}
