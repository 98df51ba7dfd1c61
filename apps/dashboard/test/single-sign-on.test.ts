import { type IdentityProviderFixture, startIdentityProvider } from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeWindows, openChromium } from './launch-chromium.ts';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { type Stack, startStack } from './start-stack.ts';

let idp: IdentityProviderFixture;
let stack: Stack;
let browser: Browser;
let opened: OpenPage;
let page: Page;

beforeAll(async () => {
  idp = await startIdentityProvider();
  stack = await startStack({ ...idp.env, OIDC_NAME: 'Corp' });
  idp.allow(`${stack.url}/api/ui/oidc/callback`);
  idp.users.set('grace', {
    email: 'grace@corp.example',
    email_verified: true,
    name: 'Grace Hopper',
  });
  idp.users.set('ada', { email: 'ada@corp.example', email_verified: true, name: 'Ada' });
  browser = await openChromium();
});
afterAll(async () => {
  await closeWindows(browser);
  await stack.stop();
  await idp.close();
});
beforeEach(async () => {
  opened = await openPage(browser);
  ({ page } = opened);
});
afterEach(() => opened.close());

const signInPage = () => page.goto(new URL('/sign-in', stack.url).href);
const throughProvider = async (email: string) => {
  await page.getByRole('link', { name: 'Sign in with Corp' }).click();
  await page.getByRole('button', { name: email }).click();
};

test('an uninvited person reads why there is no account, and an invited one is in the workspace after the provider, without a token in an address', async () => {
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await signInPage();
  await throughProvider('grace@corp.example');
  await page.getByText('You have no account here yet.').waitFor();

  await stack.request('POST', `/api/ui/workspaces/${stack.owner.workspaceId}/members`, {
    email: 'grace@corp.example',
    role: 'member',
  });
  await throughProvider('grace@corp.example');
  await page.locator('[data-connection=live]:visible').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/w/${stack.owner.workspaceId}/messages`);
  expect(urls.filter((url) => /sw[so]_/.test(url))).toEqual([]);
  await page.reload();
  await page.locator('[data-connection=live]:visible').waitFor();
});

test('a user connects single sign-on in the account settings, signs in with it, and disconnects it', async () => {
  await signIn(page, stack);
  await page.goto(`${stack.url}/w/${stack.owner.workspaceId}/settings/account`);
  const connect = page
    .locator('form')
    .filter({ has: page.getByRole('button', { name: 'Connect single sign-on' }) });
  await connect.getByLabel('Current password').fill(stack.owner.password);
  await connect.getByRole('button', { name: 'Connect single sign-on' }).click();
  await page.getByRole('button', { name: 'ada@corp.example' }).click();
  await page.getByText('Single sign-on is connected.').waitFor();
  await page.getByText(/^Connected as ada@corp\.example since/).waitFor();
  const disconnect = page
    .locator('form')
    .filter({ has: page.getByRole('button', { name: 'Disconnect single sign-on' }) });
  await disconnect.getByLabel('Current password').fill(stack.owner.password);
  await disconnect.getByRole('button', { name: 'Disconnect single sign-on' }).click();
  await page.getByText('Not connected. You sign in with your password only.').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/settings\/account$/);
});

test('a response of the provider that another browser opens is explained on the sign-in page', async () => {
  await page.goto(`${stack.url}/api/ui/oidc/callback?code=stolen&state=stolen`);
  await page.getByText('This sign-in has expired, or was started in another browser.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/sign-in');
});

test('where passwords are switched off, an invitation offers to sign in, and no form that would be refused', async () => {
  await page.route('**/api/ui/users', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), passwords: false } });
  });
  await page.goto(`${stack.url}/invite#invite=any`);
  await page.getByText('Sign in to join it.').waitFor();
  expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Sign in with Corp' }).waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
});

test('the sign-in page fits narrow and wide windows, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 360]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await signInPage();
      await page.getByRole('link', { name: 'Sign in with Corp' }).waitFor();
      const folder = process.env['SCREENSHOTS'];
      if (folder !== undefined) {
        await page.screenshot({ path: `${folder}/sso-${colorScheme}-${width}.png` });
      }
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      expect(overflow).toBeLessThanOrEqual(0);
    }
  }
});
