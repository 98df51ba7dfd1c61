import { EVENTUALLY, type MailServer, startMailServer } from '@switchboard/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { closeWindows, openChromium } from './launch-chromium.ts';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { type Stack, startStack } from './start-stack.ts';

let mailServer: MailServer;
let stack: Stack;
let browser: Browser;
let opened: OpenPage;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  mailServer = await startMailServer();
  stack = await startStack({ SMTP_URL: mailServer.url, MAIL_FROM: 'switchboard@example.com' });
  browser = await openChromium();
});
afterAll(async () => {
  await closeWindows(browser);
  await stack.stop();
  await mailServer.close();
});
beforeEach(async () => {
  opened = await openPage(browser);
  ({ page } = opened);
});
afterEach(async () => {
  errors.push(...opened.errors);
  await opened.close();
});

/** Waits for the mail with this number to an address, and returns its link. */
async function waitForLink(address: string, number: number): Promise<string> {
  const mails = () => mailServer.mails.filter(({ to }) => to.includes(address));
  await vi.waitFor(() => expect(mails()).toHaveLength(number), EVENTUALLY);
  return mails().at(-1)?.links[0] ?? '';
}

test('a banner offers a link to confirm the address, until it is confirmed', async () => {
  await signIn(page, stack);
  const banner = page.getByRole('complementary', { name: 'Confirm your email address' });
  await banner.getByRole('button', { name: 'Send a link' }).click();
  await banner.getByText('A link was sent to').waitFor();
  await page.goto(await waitForLink(stack.owner.email, 1));
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await page.getByText('Your email address is confirmed.').waitFor();
  await page.getByRole('link', { name: 'Open Switchboard' }).click();
  await page.locator('[data-connection=live]:visible').waitFor();
  expect(await banner.count()).toBe(0);
});

test('a user who forgot the password gets back in with the link from a mail, and no page request contains the token', async () => {
  const { email } = stack.owner;
  const urls: string[] = [];
  page.on('request', (request) => urls.push(`${request.method()} ${request.url()}`));
  await page.goto(new URL('/sign-in', stack.url).href);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText('If an account has this address').waitFor();

  const link = await waitForLink(email, 2);
  await page.goto(link);
  await page.getByLabel('Password').fill('a newer and longer password');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('Your password is changed').waitFor();
  const token = link.split('=')[1] ?? 'none';
  const withToken = urls.filter((url) => url.includes(token));
  expect(withToken).toEqual([`POST ${stack.url}/api/ui/password-resets/${token}`]);

  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('a newer and longer password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Messages' }).waitFor();
  stack.owner.password = 'a newer and longer password';

  await page.goto(link);
  await page.getByLabel('Password').fill('yet another long password');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('The link is unknown, used, expired or replaced by a newer one.').waitFor();
});

test('a user changes the address in the account settings', async () => {
  await signIn(page, stack);
  const { password } = stack.owner;
  const settings = `${stack.url}/w/${stack.owner.workspaceId}/settings/account`;
  await page.goto(settings);
  await page.getByLabel('New email address').fill('lovelace@example.com');
  const section = page.getByRole('region', { name: 'Email address' });
  await section.getByLabel('Current password').fill(password);
  await section.getByRole('button', { name: 'Change email address' }).click();
  await section.getByText('A link was sent to lovelace@example.com').waitFor();
  await page.goto(await waitForLink('lovelace@example.com', 1));
  await page.getByRole('button', { name: 'Confirm this address' }).click();
  await page.getByText('Your email address is confirmed.').waitFor();
  await page.goto(settings);
  const about = section.getByText('lovelace@example.com · confirmed');
  await about.waitFor();
  expect(await about.count()).toBe(1);
});

test('no page logs an error during the account tests', () => {
  expect(errors).toEqual([]);
});
