import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenPage, openPage } from './open-page.ts';
import { api, browser, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const OURS = '+15005550006';
const ADA = '+14155550171';
const BOB = '+14155550172';

/** The window of a colleague, who is a member of the workspace. */
let theirs: OpenPage;

useDashboard({ fill: () => stack.request('POST', `${api}/numbers`, { number: OURS }) });

beforeAll(async () => {
  for (const number of [ADA, BOB]) await stack.receive(number, 'Hello');
  const { invite_token } = await stack.request<{ invite_token: string }>('POST', `${api}/members`, {
    email: 'grace@example.com',
    role: 'member',
  });
  theirs = await openPage(browser);
  await theirs.page.goto(`${stack.url}/sign-up#invite=${invite_token}`);
  await theirs.page.getByLabel('Name').fill('Grace');
  await theirs.page.getByLabel('Email').fill('grace@example.com');
  await theirs.page.getByLabel('Password').fill('a long sentence as password');
  await theirs.page.getByRole('button', { name: 'Create account' }).click();
  await theirs.page.locator('[data-connection=live]:visible').waitFor();
});
afterAll(() => theirs.close());

const isTyping = () => page.getByRole('status').filter({ hasText: /Grace.* is typing a reply…/ });
const reply = () => theirs.page.getByRole('textbox', { name: 'Reply' });

async function openThread(of: OpenPage, number: string): Promise<void> {
  await of.page.goto(`${view}/conversations/${number}`);
  await of.page.getByRole('log').getByText('Hello').waitFor();
  await of.page.locator('[data-connection=live]:visible').waitFor();
}

test('a colleague’s typing is shown beside the composer until the text is sent', async () => {
  await openThread(opened, ADA);
  await openThread(theirs, ADA);
  await reply().pressSequentially('Hi');
  await isTyping().waitFor();
  // The other page has reported no typing, so the page of the user who types shows none.
  expect(await theirs.page.getByText('is typing a reply…').count()).toBe(0);
  await theirs.page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Hi', { exact: true }).waitFor();
  await isTyping().waitFor({ state: 'detached' });
});

test('typing is no longer shown when the colleague opens another conversation or loses the connection', async () => {
  await openThread(opened, ADA);
  await openThread(theirs, ADA);
  await reply().pressSequentially('One moment');
  await isTyping().waitFor();
  await theirs.page.goto(`${view}/conversations/${BOB}`);
  await isTyping().waitFor({ state: 'detached' });

  await theirs.page.goto(`${view}/conversations/${ADA}`);
  await theirs.page.locator('[data-connection=live]:visible').waitFor();
  await reply().pressSequentially(', please');
  await isTyping().waitFor();
  await theirs.page.context().setOffline(true);
  await isTyping().waitFor({ state: 'detached' });
  await theirs.page.context().setOffline(false);
  // After the reconnect, each page reports again which conversation it has open.
  await theirs.page.locator('[data-connection=live]:visible').waitFor();
  const shown = theirs.page.getByRole('status').filter({ hasText: /Owner.* is typing a reply…/ });
  // A page reports every three seconds that its user is typing: the other page may miss one report.
  const type = () => page.getByRole('textbox', { name: 'Reply' }).press('x');
  await expect.poll(() => type().then(() => shown.count()), EVENTUALLY).toBe(1);
});

test('no page logs an error while two colleagues use the same conversation', () => {
  expect([opened.errors, theirs.errors]).toEqual([[], []]);
});

test('a member who opens the address of an owner’s settings sees only a message, and no control of owners elsewhere', async () => {
  const refused: string[] = [];
  theirs.page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  for (const [section, name] of [
    ['webhooks', 'Webhooks'],
    ['audit', 'Audit trail'],
  ] as const) {
    await theirs.page.goto(`${view}/settings/${section}`);
    const region = theirs.page.getByRole('region', { name, exact: true });
    await region.getByText('Only owners of this workspace can open this page.').waitFor();
    const main = theirs.page.getByRole('main');
    expect(await main.getByRole('alert').count()).toBe(0);
    expect(await main.locator('input, select, textarea').count()).toBe(0);
  }
  await theirs.page.getByRole('complementary', { name: 'Carrier simulator' }).waitFor();
  expect(await theirs.page.getByRole('button', { name: 'Connect a real account' }).count()).toBe(0);
  expect(refused).toEqual([]);
});

test('the first steps of a member include no step that only an owner can take', async () => {
  const steps = theirs.page.getByRole('region', { name: 'First steps' });
  await theirs.page.route(`${stack.url}${api}/numbers?*`, async (route) => {
    const response = await route.fetch();
    const { pagination } = (await response.json()) as { pagination: object };
    await route.fulfill({ json: { data: [], pagination: { ...pagination, totalItems: 0 } } });
  });
  await theirs.page.goto(`${view}/settings`);
  await steps.getByRole('link', { name: 'Add a number' }).waitFor();
  await expect.poll(() => steps.getByRole('listitem').count(), EVENTUALLY).toBe(2);
  expect(await steps.getByText('Create an API key').count()).toBe(0);

  await theirs.page.route(stack.url + api, async (route) => {
    const response = await route.fetch();
    const workspace = (await response.json()) as object;
    await route.fulfill({ json: { ...workspace, provider_configured: false } });
  });
  await theirs.page.reload();
  await steps.getByText('An owner has to connect a provider first.').waitFor();
  expect(await steps.getByRole('listitem').count()).toBe(0);
  await theirs.page.unrouteAll({ behavior: 'wait' });
});
