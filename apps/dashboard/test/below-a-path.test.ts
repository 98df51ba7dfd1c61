import { EVENTUALLY } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeWindows, openChromium } from './launch-chromium.ts';
import { type OpenPage, openPage } from './open-page.ts';
import { type Stack, startStack } from './start-stack.ts';
import { startPathProxy } from './start-path-proxy.ts';

// A path that is the beginning of a route of the dashboard, too.
const BASE = '/w';

let proxy: Awaited<ReturnType<typeof startPathProxy>>;
let stack: Stack;
let browser: Browser;
let window: OpenPage;

beforeAll(async () => {
  proxy = await startPathProxy(BASE);
  [stack, browser] = await Promise.all([
    startStack({ PUBLIC_URL: `${proxy.url}/` }),
    openChromium(),
  ]);
  proxy.forwardTo(stack.url);
  window = await openPage(browser);
});
afterAll(async () => {
  await closeWindows(browser);
  await stack?.stop();
  proxy?.close();
});

test('below a path, a person signs in from a deep link, sees a live message and reloads its view', async () => {
  const { page, errors } = window;
  const view = `${proxy.url}/w/${stack.owner.workspaceId}`;
  // A deep link of a person who is signed out leads back to the same view after the sign-in.
  await page.goto(`${view}/settings/members`);
  await page.waitForURL(`${proxy.url}/sign-in?**`);
  await page.getByLabel('Email').fill(stack.owner.email);
  await page.getByLabel('Password').fill(stack.owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${view}/settings/members`);
  await page.getByRole('region', { name: 'Members' }).waitFor();

  await page.goto(`${proxy.url}/`);
  await page.waitForURL(`${view}/messages`);
  await page.locator('[data-connection=live]:visible').waitFor();
  const workspace = `/api/ui/workspaces/${stack.owner.workspaceId}`;
  await stack.request('POST', `${workspace}/numbers`, { number: '+15005550006' });
  const { id } = await stack.request<{ id: string }>('POST', `${workspace}/messages`, {
    to: '+14155550123',
    from: '+15005550006',
    body: 'Below a path',
  });
  const row = page.locator(`a[href$="/messages/${id}"]`).first();
  await row.waitFor();
  // The callback of the carrier is signed over the URL with the path.
  const read = () => stack.request<{ status: string }>('GET', `${workspace}/messages/${id}`);
  await expect.poll(read, { ...EVENTUALLY }).toMatchObject({ status: 'delivered' });
  await row.click();
  await page.waitForURL(`${view}/messages/${id}`);
  await page.reload();
  await page.getByText('Below a path').first().waitFor();

  const readWidth = () =>
    page.evaluate<number>(`document.querySelector('img[src$="icon.svg"]').naturalWidth`);
  await expect.poll(readWidth, EVENTUALLY).toBeGreaterThan(0);
  const keys = await page.evaluate<string[]>('Object.keys(sessionStorage)');
  expect(keys).toContain(`switchboard.session@${BASE}`);
  expect({ errors, strays: proxy.strays }).toEqual({ errors: [], strays: [] });
});

test('below a path, the API reference loads its documents and sends to the path', async () => {
  const { page, errors, close } = await openPage(browser);
  await page.goto(`${proxy.url}/docs`);
  await page.getByRole('region', { name: 'Send a message' }).waitFor();
  const { servers } = (await (await fetch(`${proxy.url}/openapi.json`)).json()) as {
    servers: unknown[];
  };
  expect(servers).toMatchObject([{ url: BASE }]);
  expect({ errors, strays: proxy.strays }).toEqual({ errors: [], strays: [] });
  await close();
});

test('below a path, an invitation link has the path, and its form leads into the workspace', async () => {
  const { page } = window;
  await page.goto(`${proxy.url}/w/${stack.owner.workspaceId}/settings/members`);
  const form = page.getByRole('region', { name: 'Invite someone' });
  await form.getByLabel('Email').fill('grace@example.com');
  await form.getByRole('button', { name: 'Create invitation' }).click();
  await form.getByText('Send this link to grace@example.com.').waitFor();
  const link = await form.locator('code').innerText();
  expect(link.startsWith(`${proxy.url}/invite#invite=`)).toBe(true);

  const theirs = await openPage(browser);
  await theirs.page.goto(link);
  await theirs.page.getByRole('link', { name: 'Create an account' }).click();
  await theirs.page.getByLabel('Name').fill('Grace');
  await theirs.page.getByLabel('Email').fill('grace@example.com');
  await theirs.page.getByLabel('Password').fill('a sentence is easy');
  await theirs.page.getByRole('button', { name: 'Create account' }).click();
  await theirs.page.waitForURL(`${proxy.url}/w/${stack.owner.workspaceId}/messages`);
  expect({ errors: theirs.errors, strays: proxy.strays }).toEqual({ errors: [], strays: [] });
  await theirs.close();
});
