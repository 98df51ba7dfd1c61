import { createTotpCode, toTotpStep } from '@switchboard/credentials';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { findViolations } from './find-violations.ts';
import { closeWindows, openChromium } from './launch-chromium.ts';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { type Stack, startStack } from './start-stack.ts';

let stack: Stack;
let browser: Browser;
let opened: OpenPage;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  stack = await startStack();
  browser = await openChromium();
});
afterAll(async () => {
  await closeWindows(browser);
  await stack.stop();
});
beforeEach(async () => {
  opened = await openPage(browser);
  ({ page } = opened);
});
afterEach(async () => {
  errors.push(...opened.errors);
  await opened.close();
});

/** What the user’s phone and sheet of paper have. The tests below follow each other, as in the life of an account. */
let secret = '';
let recoveryCodes: string[] = [];

const codeOf = (drift = 0) => createTotpCode(secret, toTotpStep(Date.now()) + drift);
async function enterPassword(): Promise<void> {
  await page.goto(new URL('/sign-in', stack.url).href);
  await page.getByLabel('Email').fill(stack.owner.email);
  await page.getByLabel('Password').fill(stack.owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const settings = (section: string) =>
  page.goto(`${stack.url}/w/${stack.owner.workspaceId}/settings/${section}`);

async function saveCodes(): Promise<void> {
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  recoveryCodes = await list.getByRole('listitem').allTextContents();
  expect(recoveryCodes).toHaveLength(10);
}

test('a user sets up an authenticator app in the account settings, and saves the recovery codes', async () => {
  await signIn(page, stack);
  await settings('account');
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByLabel('Current password').fill('not the password');
  await section.getByRole('button', { name: 'Set up' }).click();
  await section.getByText('This is not your current password. Enter it again.').waitFor();
  await section.getByLabel('Current password').fill(stack.owner.password);
  await section.getByRole('button', { name: 'Set up' }).click();
  await section.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  const shown = await section.locator('[data-totp-secret]').textContent();
  expect(shown).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  secret = (shown ?? '').replaceAll(' ', '');
  const uri = await section.getByRole('link', { name: 'Open the app' }).getAttribute('href');
  expect(uri).toContain(`secret=${secret}&`);

  const field = section.getByLabel('Code', { exact: true });
  expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
  expect(await field.getAttribute('inputmode')).toBe('numeric');
  await field.fill('12345');
  await section.getByRole('button', { name: 'Turn on' }).click();
  await section.getByText('Enter the present code of your authenticator app.').waitFor();
  const code = codeOf();
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await section.getByRole('button', { name: 'Turn on' }).click();
  await saveCodes();
  expect(await findViolations(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await section.getByRole('button', { name: 'Download' }).click();
  const file = await (await download).createReadStream();
  let text = '';
  for await (const chunk of file) text += String(chunk);
  for (const each of recoveryCodes) expect(text).toContain(each);
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { name: 'Change password' }).waitFor({ state: 'hidden' });
  expect(await page.getByText(recoveryCodes[0] ?? '').isVisible()).toBe(true);
  await page.emulateMedia({ media: null });

  await section.getByRole('button', { name: 'I have saved the codes' }).click();
  await section.getByText('10 codes left. Each replaces the app once.').waitFor();
  expect(await findViolations(page)).toEqual([]);
});

test('signing in asks for the code after the password, and accepts a pasted one with a space', async () => {
  await enterPassword();
  const field = page.getByLabel('Code', { exact: true });
  await field.waitFor();
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await page.locator('input:focus').getAttribute('name')).toBe('totp_code');
  await field.fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This code is wrong, or was used already.').waitFor();
  const code = codeOf(1);
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
});

test('a user who lost the phone signs in with a recovery code, and moves to another phone', async () => {
  await enterPassword();
  await page.getByRole('button', { name: /Lost your phone/ }).click();
  await page.getByText('Ask the operator').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Recovery code').fill((recoveryCodes[0] ?? '').toUpperCase());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();

  await settings('account');
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByText('9 codes left').waitFor();
  await section.getByRole('button', { name: 'New codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create new recovery codes?' });
  await dialog.getByLabel('Current password').fill(stack.owner.password);
  await dialog.getByLabel('Code', { exact: true }).fill(recoveryCodes[0] ?? '');
  await dialog.getByRole('button', { name: 'New codes' }).click();
  await dialog.getByText('Enter the present code of your authenticator app.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByLabel('Code', { exact: true }).fill(recoveryCodes[1] ?? '');
  await dialog.getByRole('button', { name: 'New codes' }).click();
  await saveCodes();
  await section.getByRole('button', { name: 'I have saved the codes' }).click();
  await section.getByText('10 codes left').waitFor();

  await section.getByRole('button', { name: 'Turn off' }).click();
  const off = page.getByRole('dialog', { name: 'Turn off the second factor?' });
  await off.getByLabel('Current password').fill(stack.owner.password);
  await off.getByLabel('Code', { exact: true }).fill(recoveryCodes[0] ?? '');
  await off.getByRole('button', { name: 'Turn off' }).click();
  await section.getByRole('button', { name: 'Set up' }).waitFor();
});

test('an owner requires a second factor, and a member without one is led to set it up', async () => {
  await signIn(page, stack);
  await settings('general');
  await page.getByText('To require it, first set one up in').waitFor();
  await page.getByRole('link', { name: 'your account', exact: true }).click();
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByLabel('Current password').fill(stack.owner.password);
  await section.getByRole('button', { name: 'Set up' }).click();
  secret = ((await section.locator('[data-totp-secret]').textContent()) ?? '').replaceAll(' ', '');
  await section.getByLabel('Code', { exact: true }).fill(codeOf());
  await section.getByRole('button', { name: 'Turn on' }).click();
  await section.getByRole('button', { name: 'I have saved the codes' }).click();

  const email = 'member@example.com';
  await settings('members');
  await page.getByText('Second factor', { exact: true }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Create invitation' }).click();
  const form = page.getByRole('region', { name: 'Invite someone' });
  const link = await form.locator('code').innerText();
  const theirs = await openPage(browser);
  try {
    await theirs.page.goto(link);
    await theirs.page.getByRole('link', { name: 'Create an account' }).click();
    await theirs.page.getByLabel('Email').fill(email);
    await theirs.page.getByLabel('Name').fill('Member');
    await theirs.page.getByLabel('Password').fill('the password of the member');
    await theirs.page.getByRole('button', { name: 'Create account' }).click();
    await theirs.page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();

    await settings('general');
    await page.getByRole('button', { name: 'Require', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Require a second factor?' });
    await dialog.getByRole('button', { name: 'Require', exact: true }).click();
    await page.getByText('Required: members without a second factor have no access.').waitFor();

    // Their socket ends, and the page leads them on without a reload.
    await theirs.page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    expect(await findViolations(theirs.page)).toEqual([]);
    await theirs.page.getByLabel('Current password').fill('the password of the member');
    await theirs.page.getByRole('button', { name: 'Set up' }).click();
    const shown = await theirs.page.locator('[data-totp-secret]').textContent();
    const own = (shown ?? '').replaceAll(' ', '');
    const step = toTotpStep(Date.now());
    await theirs.page.getByLabel('Code', { exact: true }).fill(createTotpCode(own, step));
    await theirs.page.getByRole('button', { name: 'Turn on' }).click();
    await theirs.page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await theirs.page.getByRole('button', { name: 'I have saved the codes' }).click();
    await theirs.page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
    await theirs.page.locator('[data-connection=live]:visible').waitFor();
    errors.push(...theirs.errors);
  } finally {
    await theirs.close();
  }
});

test('no page logs an error during the tests of the second factor', () => {
  expect(errors).toEqual([]);
});
