import { EVENTUALLY, createWorkspaceFixture } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { openPage, signIn } from './open-page.ts';
import { browser, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

useDashboard();

test('the switch opens test mode, which every page shows in words, and a message sent there is in test mode only', async () => {
  await page.getByRole('link', { name: 'Test mode', exact: true }).click();
  const banner = page.getByRole('complementary', { name: 'Test mode' });
  await banner.waitFor();
  await expect.poll(() => page.title(), EVENTUALLY).toContain('test mode');
  const testView = page.url();
  expect(testView.startsWith(view)).toBe(false);

  await page.getByRole('button', { name: 'New message' }).click();
  const dialog = page.getByRole('dialog', { name: 'New test message' });
  await dialog.getByLabel('To', { exact: true }).fill('+15551230001');
  await dialog.getByLabel('Message', { exact: true }).fill('Only a test');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('text=Only a test >> visible=true').first().waitFor();
  await page.locator('text=Delivered >> visible=true').first().waitFor();
  const ledger = await fetch(`${stack.simulatorUrl}/simulator/ledger`);
  expect(await ledger.text()).not.toContain('Only a test');

  // The address keeps the mode.
  await page.reload();
  await banner.waitFor();
  await page.locator('text=Only a test >> visible=true').first().waitFor();
  await page.getByRole('link', { name: 'Leave test mode' }).click();
  await banner.waitFor({ state: 'detached' });
  expect(page.url()).toBe(`${view}/messages`);
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  expect(await page.getByText('Only a test').count()).toBe(0);
  expect(opened.errors).toEqual([]);
});

/** Until the banner is there, the page and its links are those of live mode. */
async function enterTestMode(): Promise<void> {
  await page.getByRole('link', { name: 'Test mode', exact: true }).click();
  await page.getByRole('complementary', { name: 'Test mode' }).waitFor();
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
}

test('a key that is created in test mode is shown as a test key', async () => {
  await enterTestMode();
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('link', { name: 'API keys' }).click();
  expect(await page.getByRole('link', { name: 'Provider' }).count()).toBe(0);
  // The general settings may still be shown, with the “Workspace name”.
  await page.getByLabel('Name', { exact: true }).fill('Continuous integration');
  expect(await page.getByLabel('Mode', { exact: true }).inputValue()).toBe('test');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page
    .getByText(/^swb_test_[\w-]{38}$/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  const row = page.getByRole('listitem').filter({ hasText: 'Continuous integration' });
  expect(await row.first().textContent()).toContain('Test');
});

test('the rule of the second factor, which holds for both modes, is shown in live mode only', async () => {
  await page.goto(`${view}/settings/general`);
  const rule = page.getByText('Second factor of members', { exact: true });
  await rule.waitFor();
  await enterTestMode();
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByLabel('Workspace name').waitFor();
  expect(await rule.count()).toBe(0);
});

test('test mode is reached and left on a phone, in both color schemes', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const phone = await openPage(browser, { viewport: { width: 360, height: 740 }, colorScheme });
    await signIn(phone.page, stack);
    await phone.page.getByRole('button', { name: /Workspaces and account/ }).click();
    await phone.page.getByRole('link', { name: 'Test mode', exact: true }).click();
    const banner = phone.page.getByRole('complementary', { name: 'Test mode' });
    await banner.waitFor();
    await phone.page.locator('text=Only a test >> visible=true').first().waitFor();
    const width = await phone.page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
    await phone.page.setViewportSize({ width: 1440, height: 900 });
    await phone.page.getByRole('link', { name: 'Leave test mode' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(phone.errors).toEqual([]);
    await phone.close();
  }
});

test('a viewer of a workspace without test mode learns who opens it, and returns to live mode', async () => {
  const other = await createWorkspaceFixture(stack.database.url, { email: 'olga@example.com' });
  const invite = await stack.requestAs<{ invite_token: string }>(
    other.sessionToken,
    'POST',
    `/api/ui/workspaces/${other.workspaceId}/members`,
    { email: stack.owner.email, role: 'viewer' },
  );
  await stack.request('POST', `/api/ui/invites/${invite.invite_token}/accept`);
  await page.goto(`${stack.url}/w/${other.workspaceId}/messages`);
  await page.getByRole('link', { name: 'Test mode', exact: true }).click();
  await page.getByText(/no test mode yet. An owner or a member opens it first/).waitFor();
  await page.getByRole('link', { name: 'Go to your messages' }).click();
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  expect(page.url()).toBe(`${stack.url}/w/${other.workspaceId}/messages`);
});
