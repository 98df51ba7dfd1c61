import { EVENTUALLY } from '@switchboard/testing';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, useDashboard, view } from './use-dashboard.ts';

useDashboard();

const CODE = '**/assets/*.js';
const LAZY_VIEWS = ['Conversations', 'Contacts', 'Overview', 'Settings'];

beforeEach(async () => {
  await page.unrouteAll({ behavior: 'wait' });
  // A page without the code of the other views.
  await page.goto(`${view}/messages`);
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
});

const link = (name: string) =>
  page
    .getByRole('navigation', { name: 'Views' })
    .filter({ visible: true })
    .getByRole('link', { name });
const alert = () => page.getByRole('alert');

test('while the server can’t be reached, each view that is not loaded yet shows an error beside the navigation, and loads when the user tries again later', async () => {
  await page.route('**', (route) => route.abort('connectionrefused'));
  for (const name of LAZY_VIEWS) {
    await link(name).click();
    await alert().getByText('The server can’t be reached').waitFor();
    await alert().getByRole('button', { name: 'Try again' }).click();
    await alert().getByText('The server can’t be reached').waitFor();
    expect(await link(name).getAttribute('aria-current')).toBe('page');
  }
  await page.unrouteAll({ behavior: 'wait' });
  await vi.waitFor(async () => {
    // The attempt before may still be in progress, and succeed now by itself.
    const tryAgain = alert().getByRole('button', { name: 'Try again' });
    if (await tryAgain.isVisible()) await tryAgain.click({ timeout: 2_000 });
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor({ timeout: 5_000 });
  }, EVENTUALLY);
  for (const name of LAZY_VIEWS.slice(0, -1)) {
    await link(name).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  }
});

test('a dialog whose code can’t be loaded offers to try again, which loads the same page once the server is back', async () => {
  await page.goto(`${view}/messages?status=failed`);
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  await page.route('**', (route) => route.abort('connectionrefused'));
  const openDialog = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('button', { name: 'Save these filters' }).click();
  };
  await openDialog();
  const failure = page.getByRole('dialog', { name: 'This part could not be loaded' });
  await failure.getByText('The server can’t be reached').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await failure.getByRole('button', { name: 'Try again' }).click();
  await failure.waitFor({ state: 'detached' });
  await openDialog();
  await page.getByRole('dialog', { name: 'New view' }).waitFor();
  expect(new URL(page.url()).search).toBe('?status=failed');
});

test('after a release replaced the code, a view says so, keeps the draft, and opens with the new page when the user tries again', async () => {
  await page.locator('body').press('c');
  const text = page.getByRole('dialog').getByLabel('Message', { exact: true });
  await text.fill('Not sent yet');
  await page.keyboard.press('Escape');
  let isNewPage = false;
  await page.route(CODE, (route) =>
    isNewPage ? route.continue() : route.fulfill({ status: 404 }),
  );
  await page.route('**/w/**', async (route) => {
    isNewPage ||= route.request().isNavigationRequest();
    await route.continue();
  });
  await link('Contacts').click();
  await alert().getByText('Switchboard has been updated').waitFor();
  expect(isNewPage).toBe(false);
  await alert().getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  expect(isNewPage).toBe(true);
  await page.locator('body').press('c');
  await expect.poll(() => text.inputValue(), EVENTUALLY).toBe('Not sent yet');
});
