import { EVENTUALLY } from '@switchboard/testing';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { api, browser, stack, useStack, view } from './use-dashboard.ts';

const ADA = '+14155550191';
const PASSWORD = 'a long sentence as password';

useStack({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.receive(ADA, 'Is my order ready?');
  },
});

let opened: OpenPage;
let page: Page;
const errors: string[] = [];

beforeEach(async () => {
  opened = await openPage(browser);
  ({ page } = opened);
  await signIn(page, stack);
});
afterEach(async () => {
  errors.push(...opened.errors);
  await opened.close();
});

const thread = () => `${view}/conversations/${encodeURIComponent(ADA)}`;
const reply = () => page.getByRole('textbox', { name: 'Reply' });

async function openThread(): Promise<void> {
  // Sent a moment after the thread is shown. Later, it would show the end of the session before the test does.
  const markedAsRead = page.waitForResponse((response) => response.url().endsWith('/read'));
  await page.goto(thread());
  await page.getByRole('log').getByText('Is my order ready?').waitFor();
  await markedAsRead;
}

/** Ends the session of the page on the server, as another browser does. */
async function endSession(): Promise<void> {
  const token = await page.evaluate<string>(`sessionStorage.getItem('switchboard.session')`);
  await stack.requestAs(token, 'DELETE', '/api/ui/sessions/current');
}

/** Signs in with the form that the page shows. */
async function signInAs(email: string, password: string): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in as the owner, and expects the thread with the draft. */
async function expectDraft(draft: string): Promise<void> {
  await signInAs(stack.owner.email, stack.owner.password);
  await page.getByRole('log').getByText('Is my order ready?').waitFor();
  expect(page.url()).toBe(thread());
  await expect.poll(() => reply().inputValue(), EVENTUALLY).toBe(draft);
}

test('a user whose session is ended elsewhere signs in and is back on the same page with the draft', async () => {
  await openThread();
  await page.locator('[data-connection=live]:visible').waitFor();
  await reply().fill('It is ready');
  await endSession();
  await expectDraft('It is ready');
  await page.reload();
  await expect.poll(() => reply().inputValue(), EVENTUALLY).toBe('It is ready');
});

/** Opens the thread in another tab, which adopts the session. */
async function openSecondTab(): Promise<Page> {
  const second = await page.context().newPage();
  second.setDefaultTimeout(60_000);
  await second.goto(thread());
  await second.getByRole('log').getByText('Is my order ready?').waitFor();
  return second;
}

test('a sign-in in one tab signs in the other tabs that the end of the session has signed out, and each shows its page and its draft', async () => {
  await openThread();
  await reply().fill('It is ready');
  const second = await openSecondTab();
  const theirs = second.getByRole('textbox', { name: 'Reply' });
  await theirs.fill('Come at noon');
  await endSession();
  await second.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectDraft('It is ready');
  await second.getByRole('log').getByText('Is my order ready?').waitFor();
  expect(second.url()).toBe(thread());
  await expect.poll(() => theirs.inputValue(), EVENTUALLY).toBe('Come at noon');
});

test('a sign-out deletes the drafts of every tab, and the next sign-in opens the same page in each without them', async () => {
  await openThread();
  await page.locator('[data-connection=live]:visible').waitFor();
  const noteTab = page.getByRole('button', { name: 'Note', exact: true });
  await noteTab.click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Ask the workshop');
  const second = await openSecondTab();
  const theirs = second.getByRole('textbox', { name: 'Reply' });
  await theirs.fill('Never mind');
  await second.getByRole('button', { name: 'Workspaces and account' }).first().click();
  await second.getByRole('button', { name: 'Sign out' }).click();
  for (const each of [second, page]) {
    await each.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(() => each.evaluate<number>('sessionStorage.length'), EVENTUALLY).toBe(0);
  }

  await signInAs(stack.owner.email, stack.owner.password);
  for (const each of [second, page]) {
    await each.getByRole('log').getByText('Is my order ready?').waitFor();
    expect(each.url()).toBe(thread());
  }
  expect(await theirs.inputValue()).toBe('');
  expect(await noteTab.getAttribute('title')).toBeNull();
});

test('the button that signs out is busy until the server has responded, and sends one request', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const held: string[] = [];
  await page.route('**/api/ui/sessions/current', async (route) => {
    held.push(route.request().method());
    await released;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Workspaces and account' }).first().click();
  const button = page.getByRole('button', { name: 'Sign out' });
  await button.dblclick();
  await button.and(page.locator('[aria-busy=true]')).waitFor();
  expect(await button.isDisabled()).toBe(true);
  release();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(held).toEqual(['DELETE']);
});

test('a reply that is sent after the session has expired is kept for its author', async () => {
  // Without the connection, only the response to the next request shows it.
  await page.routeWebSocket(/\/events/, () => undefined);
  await openThread();
  await reply().fill('Come at noon');
  await endSession();
  await reply().press('Enter');
  await expectDraft('Come at noon');
});

test('another user who signs in after a session has ended sees none of its drafts', async () => {
  const invite = await stack.request<{ invite_token: string }>('POST', `${api}/members`, {
    email: 'grace@example.com',
    role: 'member',
  });
  await stack.requestAs(null, 'POST', '/api/ui/users', {
    email: 'grace@example.com',
    name: 'Grace',
    password: PASSWORD,
    invite_token: invite.invite_token,
  });
  await openThread();
  await page.locator('[data-connection=live]:visible').waitFor();
  await reply().fill('Written by the owner');
  await endSession();
  await signInAs('grace@example.com', PASSWORD);
  await page.getByRole('log').getByText('Is my order ready?').waitFor();
  expect(await reply().inputValue()).toBe('');
  const stored = await page.evaluate<string>('JSON.stringify(sessionStorage)');
  expect(stored).not.toContain('Written by the owner');
});

test('a removed member sees that they have no access, and their session continues', async () => {
  const { data } = await stack.request<{ data: { user_id: string; email: string }[] }>(
    'GET',
    `${api}/members`,
  );
  const grace = data.find(({ email }) => email === 'grace@example.com');
  await page.getByRole('button', { name: 'Workspaces and account' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInAs('grace@example.com', PASSWORD);
  await page.locator('[data-connection=live]:visible').waitFor();
  await stack.request('DELETE', `${api}/members/${grace?.user_id}`);
  await page.getByRole('heading', { name: 'You don’t have access to this workspace' }).waitFor();
  expect(await page.locator('[data-message]').count()).toBe(0);
  await page.getByRole('link', { name: 'Go to your messages' }).click();
  await page.getByRole('heading', { name: 'New workspace' }).waitFor();
});

test('the sign-in and sign-up URLs lead a signed-in user to the workspace or to the next page', async () => {
  for (const address of ['/sign-in', '/sign-up']) {
    await page.goto(stack.url + address);
    await page.locator('[data-connection=live]:visible').waitFor();
    expect(page.url()).toBe(`${view}/messages`);
  }
  const next = new URL(`${view}/settings/members`).pathname;
  await page.goto(`${stack.url}/sign-in?${new URLSearchParams({ next }).toString()}`);
  await page.getByRole('region', { name: 'Invite someone' }).waitFor();
  expect(page.url()).toBe(`${view}/settings/members`);
});

test('no page logs an error when its session ends', () => {
  expect(errors).toEqual([]);
});
