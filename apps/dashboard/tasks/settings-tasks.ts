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
    name: 'Merge two contacts with the same name',
    start: CONTACTS,
    async prepare({ stack, api }) {
      for (const number of ['+14155550192', '+14155550193']) {
        await stack.request('POST', `${api}/contacts`, { number, name: 'Joan Clarke' });
      }
    },
    async run({ page, hands }) {
      const contacts = page.getByRole('button', { name: 'Joan Clarke' });
      const merging = page.getByRole('dialog', { name: 'Merge contacts' });
      await hands.click(contacts.first());
      await hands.click(dialog(page).getByRole('button', { name: 'Merge…' }));
      await hands.click(merging.getByRole('button', { name: 'Joan Clarke' }));
      await hands.click(merging.getByRole('button', { name: 'Merge', exact: true }));
      await contacts.nth(1).waitFor({ state: 'detached' });
      await contacts.filter({ hasText: '555 0192' }).filter({ hasText: '555 0193' }).waitFor();
    },
  },
  {
    name: 'Import contacts from a file',
    start: CONTACTS,
    async run({ page, hands }) {
      const importing = page.getByRole('dialog', { name: 'Import contacts' });
      await hands.click(page.getByRole('button', { name: 'Import' }));
      await hands.chooseFile(importing.getByLabel('CSV file'), {
        name: 'customers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Phone,Name\n+14155550194,Grace Brewster\n+14155550195,Edith Clarke\n'),
      });
      await hands.click(importing.getByRole('button', { name: 'Preview' }));
      await hands.click(importing.getByRole('button', { name: 'Import 2 contacts' }));
      await hands.click(importing.getByRole('button', { name: 'Done' }));
      await page.getByRole('button', { name: 'Edith Clarke' }).waitFor();
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
    name: 'Change the reply to STOP',
    start: 'settings/opt-outs',
    async run({ page, hands }) {
      await hands.click(page.getByLabel('Reply to STOP'));
      await hands.type('We will not write again.');
      await hands.click(page.getByRole('button', { name: 'Save replies' }));
      await page.getByText('Saved.').waitFor();
    },
  },
  {
    name: 'Connect a second provider account',
    start: 'settings/provider',
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Sandbox' }));
      await hands.click(page.getByLabel('Name (optional)'));
      await hands.type('Training');
      await hands.press('Enter');
      await page.getByText('Training is connected.').waitFor();
      await hands.click(page.getByRole('button', { name: 'Done' }));
      await page.getByRole('button', { name: 'Change Training' }).waitFor();
    },
  },
  {
    name: 'Add a number from the provider’s list',
    start: 'settings/numbers',
    async run({ page, hands }) {
      const adding = page.getByRole('dialog', { name: 'Numbers of Twilio' });
      await hands.click(page.getByRole('button', { name: 'Numbers of Twilio' }));
      await hands.click(adding.getByRole('checkbox', { name: /555 0161/ }));
      await hands.click(adding.getByRole('button', { name: 'Add 1 number' }));
      await hands.click(adding.getByRole('button', { name: 'Done' }));
      await page.getByRole('button', { name: 'Make default: +14155550161' }).waitFor();
    },
  },
  {
    name: 'Stop sending to a number',
    start: 'settings/opt-outs',
    async run({ page, hands }) {
      await hands.click(page.getByLabel('Number', { exact: true }));
      await hands.type('+14155550188');
      await hands.press('Enter');
      await page.getByRole('button', { name: 'Allow again: +14155550188' }).waitFor();
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
