import type { Page } from 'playwright-core';
import type { Task } from './task.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const CONTACTS = 'contacts';

export const SETTINGS_TASKS: readonly Task[] = [
  {
    name: 'Add a contact with a tag',
    start: CONTACTS,
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'New contact' }));
      await hands.type('Ada Lovelace');
      await hands.click(dialog(page).getByLabel('Number', { exact: true }));
      await hands.type('+14155550171');
      await hands.click(dialog(page).getByLabel('Tags'));
      await hands.type('customer');
      await hands.press('Enter');
      await page.getByRole('button', { name: 'Ada Lovelace' }).waitFor();
    },
  },
  {
    name: 'Find a contact by a tag',
    start: CONTACTS,
    async run({ page, hands }) {
      await hands.click(page.getByLabel('Search contacts'));
      await hands.type('supplier');
      await page.getByRole('button', { name: 'Noor Haddad' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Leif Lindqvist' }).waitFor();
    },
  },
  {
    name: 'Export the contacts',
    start: CONTACTS,
    async run({ page, hands }) {
      const file = page.waitForEvent('download');
      await hands.click(page.getByRole('button', { name: 'Export' }));
      await (await file).path();
    },
  },
  {
    name: 'Write a saved reply',
    start: 'settings/saved-replies',
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'New saved reply' }));
      await hands.type('Address');
      await hands.click(dialog(page).getByLabel('Text', { exact: true }));
      await hands.type('Elm Street 5');
      await hands.click(dialog(page).getByRole('button', { name: 'Save', exact: true }));
      await page.getByRole('button', { name: 'Edit Address' }).waitFor();
    },
  },
  {
    name: 'Stop sending to a number',
    start: 'settings/opt-outs',
    async run({ page, hands }) {
      await hands.click(page.getByLabel('Number', { exact: true }));
      await hands.type('+14155550188');
      await hands.press('Enter');
      await page.getByRole('button', { name: 'Allow +14155550188 again' }).waitFor();
    },
  },
  {
    name: 'Create an API key and copy it',
    start: 'settings/api-keys',
    async run({ page, hands }) {
      await hands.click(page.getByLabel('Name', { exact: true }));
      await hands.type('Reminders');
      await hands.press('Enter');
      await hands.click(dialog(page).getByRole('button', { name: 'Copy key' }));
      await hands.click(dialog(page).getByRole('button', { name: 'I have copied it' }));
      await page.getByRole('button', { name: 'Revoke Reminders' }).waitFor();
    },
  },
  {
    name: 'Invite a colleague',
    start: 'settings/members',
    async run({ page, hands }) {
      await hands.click(page.getByLabel('Email'));
      await hands.type('joan@example.com');
      await hands.press('Enter');
      await page.getByRole('button', { name: 'Copy invitation' }).waitFor();
    },
  },
  {
    name: 'See who changed what',
    async run({ page, hands }) {
      await hands.click(page.getByRole('link', { name: 'Settings' }).filter({ visible: true }));
      await hands.click(page.getByRole('link', { name: 'Audit trail' }));
      await page
        .getByRole('region', { name: 'Audit trail' })
        .getByRole('listitem')
        .first()
        .waitFor();
    },
  },
];
