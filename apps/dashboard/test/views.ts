import type { View } from './view.ts';
import { SETTINGS_VIEWS } from './settings-views.ts';
import { THREAD_VIEWS } from './thread-views.ts';

/** Opens each view and waits until it has loaded. */
export const VIEWS: readonly View[] = [
  {
    name: 'sign-in',
    signedOut: true,
    async open(page, base) {
      await page.goto(new URL('/sign-in', base).href);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    },
  },
  {
    name: 'sign-up',
    signedOut: true,
    async open(page, base) {
      await page.goto(new URL('/sign-up#invite=an-invitation', base).href);
      await page.getByRole('heading', { name: 'Create an account' }).waitFor();
    },
  },
  {
    name: 'invite',
    signedOut: true,
    async open(page, base) {
      await page.goto(new URL('/invite#invite=an-invitation', base).href);
      await page.getByRole('link', { name: 'Create an account' }).waitFor();
    },
  },
  {
    name: 'invite-signed-in',
    async open(page, base) {
      await page.goto(new URL('/invite#invite=an-invitation', base).href);
      await page.getByText('@example.com').waitFor();
    },
  },
  {
    name: 'messages',
    async open(page, base) {
      await page.goto(`${base}/messages`);
      await page.locator('[data-message]').first().waitFor();
      await page.locator('[data-connection=live]:visible').waitFor();
    },
  },
  {
    name: 'page-not-found',
    withoutScreenshot: true,
    async open(page, base) {
      await page.goto(`${base}/no-such-page`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('navigation').filter({ visible: true }).first().waitFor();
    },
  },
  {
    name: 'messages-none',
    async open(page, base) {
      await page.goto(`${base}/messages?status=read`);
      await page.getByText('No matching messages').waitFor();
    },
  },
  {
    name: 'message',
    async open(page, base, { deliveredId }) {
      await page.goto(`${base}/messages/${deliveredId}`);
      await page.getByRole('list', { name: 'Timeline' }).getByText('Delivered').waitFor();
    },
  },
  {
    name: 'message-failed',
    async open(page, base, { failedId }) {
      await page.goto(`${base}/messages/${failedId}`);
      await page.getByText('A carrier filtered the message').waitFor();
    },
  },
  {
    name: 'message-attempts',
    withoutScreenshot: true,
    async open(page, base, { retriedId }) {
      await page.goto(`${base}/messages/${retriedId}`);
      const steps = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
      await steps.filter({ hasText: 'Delivered' }).waitFor();
    },
  },
  {
    name: 'compose',
    async open(page, base) {
      await page.goto(`${base}/messages`);
      await page.locator('[data-message]').first().waitFor();
      await page.keyboard.press('c');
      const dialog = page.getByRole('dialog', { name: 'New message' });
      await dialog.getByLabel('To', { exact: true }).pressSequentially('+14155550142');
      await dialog
        .getByLabel('Message', { exact: true })
        .fill('Your bicycle is ready – pick it up until six. The bill is 64 €.');
    },
  },
  {
    name: 'account-menu',
    async open(page, base) {
      await page.goto(`${base}/messages`);
      await page.locator('[data-message]').first().waitFor();
      await page.locator('button:visible', { hasText: 'Workspaces and account' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
  },
  {
    name: 'conversation',
    async open(page, base, { friend }) {
      await page.goto(`${base}/conversations/${friend}`);
      await page.getByText('did you also look at the rear brake').last().waitFor();
    },
  },
  {
    name: 'conversation-long',
    withoutScreenshot: true,
    async open(page, base, { pal }) {
      await page.goto(`${base}/conversations/${pal}`);
      await page.getByText('Message 120 of a long thread').last().waitFor();
      await page.getByRole('button', { name: 'Show older messages' }).click();
      await page.getByText('Message 1 of a long thread', { exact: true }).waitFor();
    },
  },
  {
    name: 'conversations',
    async open(page, base) {
      await page.goto(`${base}/conversations`);
      await page
        .getByRole('link', { name: /Show|415/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'conversation-note',
    withoutScreenshot: true,
    async open(page, base, { friend }) {
      await page.goto(`${base}/conversations/${friend}`);
      await page.getByRole('button', { name: 'Note', exact: true }).click();
      await page.getByRole('textbox', { name: 'Note' }).fill('@');
      await page.getByRole('listbox').getByRole('option', { name: /Owner/ }).waitFor();
    },
  },
  {
    name: 'mentions',
    withoutScreenshot: true,
    async open(page, base) {
      await page.goto(`${base}/conversations`);
      await page.getByRole('button', { name: 'Mentions' }).click();
      await page.getByText('No mentions').waitFor();
    },
  },
  {
    name: 'message-scheduled',
    withoutScreenshot: true,
    async open(page, base, { scheduledId }) {
      await page.goto(`${base}/messages/${scheduledId}`);
      await page.getByRole('button', { name: 'Send now' }).waitFor();
    },
  },
  {
    name: 'messages-filters',
    withoutScreenshot: true,
    async open(page, base) {
      await page.goto(`${base}/messages?status=delivered,failed`);
      await page.locator('[data-message]').first().waitFor();
      const toggle = page.getByRole('button', { name: 'Filters (1)' });
      if (await toggle.isVisible()) await toggle.click();
      await page.getByRole('button', { name: /^Status/ }).click();
      await page.getByRole('checkbox', { name: 'Undelivered' }).waitFor();
    },
  },
  {
    name: 'messages-views',
    withoutScreenshot: true,
    async open(page, base) {
      await page.goto(`${base}/messages?status=failed`);
      await page.locator('[data-message]').first().waitFor();
      await page.getByRole('button', { name: 'Not delivered' }).click();
      await page.getByRole('button', { name: 'Edit Not delivered' }).waitFor();
    },
  },
  {
    name: 'saved-reply-choice',
    withoutScreenshot: true,
    async open(page, base, { friend }) {
      await page.goto(`${base}/conversations/${friend}`);
      await page.getByRole('textbox', { name: 'Reply' }).fill('/');
      await page.getByRole('option', { name: /Opening hours/ }).waitFor();
    },
  },
  {
    name: 'search',
    async open(page, base) {
      await page.goto(`${base}/messages`);
      await page.locator('[data-message]').first().waitFor();
      await page.keyboard.press('/');
      await page.getByLabel('Search messages, contacts and conversations').fill('rear brake');
      await page.getByRole('dialog').locator('mark').first().waitFor();
    },
  },
  {
    name: 'search-nothing',
    withoutScreenshot: true,
    async open(page, base) {
      await page.goto(`${base}/contacts`);
      await page.getByRole('button', { name: /Maya Okafor/ }).waitFor();
      await page.keyboard.press('/');
      await page.getByLabel('Search messages, contacts and conversations').fill('no such word');
      await page.getByText('Nothing found').waitFor();
    },
  },
  {
    name: 'contacts',
    async open(page, base) {
      await page.goto(`${base}/contacts`);
      await page.getByRole('button', { name: /Maya Okafor/ }).waitFor();
    },
  },
  {
    name: 'contact',
    async open(page, base) {
      await page.goto(`${base}/contacts`);
      await page.getByRole('button', { name: /Maya Okafor/ }).click();
      await page.getByRole('dialog', { name: 'Contact' }).waitFor();
    },
  },
  {
    name: 'contact-merge',
    withoutScreenshot: true,
    async open(page, base) {
      await page.goto(`${base}/contacts`);
      await page.getByRole('button', { name: /Maya Okafor/ }).click();
      await page.getByRole('button', { name: 'Merge…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Merge contacts' });
      await dialog.getByLabel('Merge with').fill('');
      await dialog.getByRole('list').getByRole('button').first().click();
      await dialog.getByRole('group', { name: 'Main number' }).waitFor();
    },
  },
  {
    name: 'contacts-import',
    async open(page, base) {
      await page.goto(`${base}/contacts`);
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByLabel('CSV file').setInputFiles({
        name: 'customers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Phone,Name,City\n+14155550142,Maya Okafor,Lisbon\nnone,Grace,\n'),
      });
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('1 to update, 1 row skipped').waitFor();
    },
  },
  {
    name: 'overview',
    async open(page, base) {
      await page.goto(`${base}/overview?range=7d`);
      await page.getByRole('heading', { name: 'Messages by hour' }).waitFor();
      await page.getByText('The recipient’s phone could not be reached').waitFor();
    },
  },
  ...THREAD_VIEWS,
  ...SETTINGS_VIEWS,
];
