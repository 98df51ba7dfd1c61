import { expect, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import { openPage, signIn } from './open-page.ts';
import { browser, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

// Each test continues where the previous one ended.
useDashboard();

const FOLDER = process.env['SCREENSHOTS'];

async function shoot(name: string, path: string, open: string): Promise<void> {
  if (FOLDER === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1_440, 360]) {
      const one = await openPage(browser, { viewport: { width, height: 900 }, colorScheme });
      await signIn(one.page, stack);
      await one.page.goto(`${view}/${path}`);
      await one.page.getByRole('button', { name: open }).click();
      await one.page.getByRole('dialog').waitFor();
      await one.page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}-${width}.png` });
      await one.close();
    }
  }
}

test('the dialogs name the consequences, and take the name and the address before they close anything', async () => {
  await shoot('workspace', 'settings/general', 'Close workspace…');
  await shoot('account', 'settings/account', 'Close account…');
  await page.goto(`${view}/settings/account`);
  await page.getByRole('button', { name: 'Close account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close your account?' });
  const action = dialog.getByRole('button', { name: 'Close account', exact: true });
  await dialog.getByLabel(/^Type .* to confirm$/).fill('someone@example.com');
  await expect.poll(() => action.isDisabled()).toBe(true);
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('an owner closes a workspace by typing its name, and is led to what is left', async () => {
  await page.goto(`${view}/settings/general`);
  const name = await page.getByLabel('Workspace name').inputValue();
  await page.getByRole('button', { name: 'Close workspace…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close this workspace?' });
  const action = dialog.getByRole('button', { name: 'Close workspace', exact: true });
  await expect.poll(() => action.isDisabled()).toBe(true);
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await action.click();
  await page.waitForURL(/\/new-workspace$/);
});

test('a user closes the account with the password, and cannot sign in any more', async () => {
  await page.getByLabel('Name', { exact: true }).fill('Another one');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.waitForURL(/\/w\//);
  const [, workspace] = /(\/w\/[0-9a-f-]{36})/.exec(page.url()) ?? [];
  await page.goto(`${stack.url}${workspace}/settings/account`);
  await page.getByRole('button', { name: 'Close account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close your account?' });
  const { email, password } = stack.owner;
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  await dialog.getByRole('button', { name: 'Close account', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Wrong email or password').waitFor();
  expect(opened.errors.filter((error) => !error.includes('401'))).toEqual([]);
});
