import type { View } from './view.ts';

const section = (id: string, waitFor: string): View => ({
  name: `settings-${id}`,
  async open(page, base) {
    await page.goto(`${base}/settings/${id}`);
    await page.getByText(waitFor).filter({ visible: true }).first().waitFor();
  },
});

/** Opens each section of the settings, and the dialogs in them. */
export const SETTINGS_VIEWS: readonly View[] = [
  section('general', 'Workspace ID'),
  section('provider', 'Last 24 hours'),
  {
    name: 'provider-connect',
    async open(page, base) {
      await page.goto(`${base}/settings/provider`);
      await page.getByRole('button', { name: 'Vonage', exact: true }).click();
      await page.getByRole('list', { name: 'Steps in the Vonage console' }).waitFor();
    },
  },
  section('numbers', 'Reminders'),
  {
    name: 'numbers-import',
    async open(page, base) {
      await page.goto(`${base}/settings/numbers`);
      await page.getByRole('button', { name: /^Numbers of/ }).click();
      const dialog = page.getByRole('dialog', { name: /^Numbers of/ });
      await dialog.getByText('messages to it go to old.example.com').waitFor();
      await dialog.getByRole('checkbox', { name: /555 0161/ }).check();
    },
  },
  section('api-keys', 'Web shop'),
  section('webhooks', 'https://shop.example.com/webhooks'),
  section('members', 'Open invitations'),
  section('opt-outs', '+1 415 555 0187'),
  section('saved-replies', 'Ready to collect'),
  section('audit', 'added the sender'),
  section('account', 'This session'),
];
