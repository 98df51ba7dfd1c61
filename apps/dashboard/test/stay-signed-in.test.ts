import { EVENTUALLY } from '@switchboard/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenPage, openPage } from './open-page.ts';
import { browser, stack, useStack } from './use-dashboard.ts';

useStack();

let opened: OpenPage;
let context: BrowserContext;

beforeEach(async () => {
  opened = await openPage(browser);
  context = opened.page.context();
});
afterEach(() => opened.close());

async function signIn(page: Page, stays: boolean): Promise<void> {
  await page.goto(`${stack.url}/sign-in`);
  await page.getByLabel('Email').fill(stack.owner.email);
  await page.getByLabel('Password').fill(stack.owner.password);
  const choice = page.getByRole('checkbox', { name: /^Stay signed in on this device/ });
  expect(await choice.isChecked()).toBe(false);
  if (stays) await choice.check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-connection=live]:visible').waitFor();
}

/** Closes all tabs and opens another one. */
async function reopen(): Promise<Page> {
  const next = await context.newPage();
  for (const page of context.pages()) if (page !== next) await page.close();
  await next.goto(stack.url);
  return next;
}

const isSignedOut = (page: Page) => page.getByRole('heading', { name: 'Sign in' }).waitFor();
const readTokens = (page: Page) =>
  page.evaluate<(string | null)[]>(
    `[sessionStorage, localStorage].map((each) => each.getItem('switchboard.session'))`,
  );
const sessions = () =>
  stack.request<{ data: { id: string; is_current: boolean; expires_at: string }[] }>(
    'GET',
    '/api/ui/sessions',
  );

test('without the choice to stay signed in, nothing of the session remains when the last tab is closed', async () => {
  await signIn(opened.page, false);
  const [ofTab, ofBrowser] = await readTokens(opened.page);
  expect([typeof ofTab, ofBrowser]).toEqual(['string', null]);
  const [newest] = (await sessions()).data;
  const hours = (Date.parse(newest?.expires_at ?? '') - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);
  const next = await reopen();
  await isSignedOut(next);
  expect(await readTokens(next)).toEqual([null, null]);
  expect(opened.errors).toEqual([]);
});

test('a new tab is signed in by a tab that is too busy to respond at once, and shows the page that was requested', async () => {
  await signIn(opened.page, false);
  const second = await context.newPage();
  const view = opened.page.url();
  // Holds back the message of the first tab until the second tab shows the sign-in.
  await opened.page.evaluate(`(() => {
    const { postMessage } = BroadcastChannel.prototype;
    BroadcastChannel.prototype.postMessage = function (message) {
      window.respond = () => postMessage.call(this, message);
    };
  })()`);
  await second.goto(`${view}?status=failed`);
  await isSignedOut(second);
  await opened.page.evaluate('window.respond()');
  await second.waitForURL(`${view}?status=failed`);
  await second.locator('[data-connection=live]:visible').waitFor();
  expect((await readTokens(second))[0]).toBe((await readTokens(opened.page))[0]);
  expect(opened.errors).toEqual([]);
});

test('with the choice to stay signed in, the user is still signed in after all tabs were closed, until they sign out', async () => {
  await signIn(opened.page, true);
  const next = await reopen();
  await next.locator('[data-connection=live]:visible').waitFor();
  const second = await context.newPage();
  await second.goto(stack.url);
  await second.locator('[data-connection=live]:visible').waitFor();
  await next.getByRole('button', { name: 'Workspaces and account' }).first().click();
  await next.getByRole('button', { name: 'Sign out' }).click();
  await isSignedOut(next);
  await isSignedOut(second);
  expect([await readTokens(next), await readTokens(second)]).toEqual([
    [null, null],
    [null, null],
  ]);
  await isSignedOut(await reopen());
  expect(opened.errors).toEqual([]);
});

test('a session that is ended elsewhere is removed from the browser, even if the user chose to stay signed in', async () => {
  await signIn(opened.page, true);
  const token = (await readTokens(opened.page)).find((each) => each !== null);
  const { data } = await stack.requestAs<Awaited<ReturnType<typeof sessions>>>(
    token ?? null,
    'GET',
    '/api/ui/sessions',
  );
  const current = data.find(({ is_current }) => is_current);
  await stack.request('DELETE', `/api/ui/sessions/${current?.id}`);
  await isSignedOut(opened.page);
  await expect.poll(() => readTokens(opened.page), EVENTUALLY).toEqual([null, null]);

  // Ended while no tab is open.
  await signIn(opened.page, true);
  await opened.page.goto('about:blank');
  await stack.request('DELETE', '/api/ui/sessions');
  const next = await reopen();
  await isSignedOut(next);
  expect(await readTokens(next)).toEqual([null, null]);
  expect(opened.errors).toEqual([]);
});
