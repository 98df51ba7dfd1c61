import { EVENTUALLY } from '@switchboard/testing';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Task } from './task.ts';

const bar = (page: Page) => page.getByRole('search', { name: 'Filter messages' });
const filter = (page: Page, label: string) =>
  bar(page).getByRole('button', { name: new RegExp(`^${label}`) });
const option = (page: Page, label: string) =>
  bar(page).getByRole('checkbox', { name: label, exact: true });
const table = (page: Page) => page.getByRole('table', { name: 'Messages' });
/** Waits until the table shows the messages of the current filters. */
async function isShown(page: Page): Promise<void> {
  await table(page).and(page.locator('[aria-busy=false]')).getByRole('link').first().waitFor();
}
/** The number of all matching messages, below the table. */
const total = (page: Page) =>
  page.getByRole('navigation', { name: 'Pages' }).getByText(/ of [\d,]+$/);

export const HISTORY_TASKS: readonly Task[] = [
  {
    name: 'List everything that was not delivered',
    async run({ page, hands }) {
      await hands.click(filter(page, 'Status'));
      await hands.click(option(page, 'Failed'));
      await hands.click(option(page, 'Undelivered'));
      await table(page)
        .getByRole('link', { name: /Undelivered$/ })
        .first()
        .waitFor();
      await expect
        .poll(
          () =>
            table(page)
              .getByRole('link', { name: /Delivered$/ })
              .count(),
          EVENTUALLY,
        )
        .toBe(0);
    },
  },
  {
    name: 'List the messages of one number',
    async run({ page, hands, history }) {
      await hands.press('f');
      await hands.type(history.pal);
      await hands.press('Enter');
      await total(page).filter({ hasText: 'of 60' }).waitFor();
    },
  },
  {
    name: 'List the messages of one API key',
    async run({ page, hands }) {
      await hands.click(filter(page, 'Sent by'));
      await hands.click(option(page, 'API key Loyalty program'));
      await total(page).filter({ hasText: 'of 1' }).waitFor();
    },
  },
  {
    name: 'List the messages of one provider account',
    async run({ page, hands }) {
      await hands.click(filter(page, 'Provider'));
      await hands.click(option(page, 'Twilio'));
      await page.waitForURL(/provider=/);
      await isShown(page);
    },
  },
  {
    name: 'List the messages to the United States',
    async run({ page, hands }) {
      await hands.click(bar(page).getByLabel('Country code'));
      await hands.type('+1');
      await hands.press('Enter');
      await page.waitForURL(/country_code=/);
      await isShown(page);
    },
  },
  {
    name: 'Save filters as a view for the team',
    start: 'messages?direction=inbound',
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Views' }));
      await hands.click(page.getByRole('button', { name: 'Save these filters' }));
      await hands.type('Received');
      await hands.press('Enter');
      await page.getByRole('button', { name: 'Received' }).waitFor();
    },
  },
  {
    name: 'Open a view that a colleague has saved',
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Views' }));
      await hands.click(
        page
          .getByRole('list', { name: 'Saved views' })
          .getByRole('link', { name: 'Not delivered' }),
      );
      await page.waitForURL(/status=failed/);
      await isShown(page);
    },
  },
  {
    name: 'Export the filtered messages',
    start: 'messages?status=failed',
    async run({ page, hands }) {
      const file = page.waitForEvent('download');
      await hands.click(page.getByRole('button', { name: 'Export' }));
      await (await file).path();
    },
  },
  {
    name: 'See in which country delivery is worst',
    async run({ page, hands }) {
      await hands.click(page.getByRole('link', { name: 'Overview' }).filter({ visible: true }));
      await page.getByRole('region', { name: 'By country' }).getByRole('row').nth(1).waitFor();
    },
  },
  {
    name: 'Go from a sender’s number of failed messages to these messages',
    start: 'overview?range=30d',
    async run({ page, hands }) {
      const senders = page.getByRole('region', { name: 'By sender' });
      await hands.click(senders.getByRole('link', { name: / failed: / }).first());
      await page.waitForURL(/status=/);
      await isShown(page);
    },
  },
  {
    name: 'Go from the most frequent error to its messages',
    start: 'overview?range=30d',
    async run({ page, hands }) {
      const errors = page.getByRole('region', { name: 'Error codes' });
      await hands.click(errors.getByRole('link').first());
      await page.waitForURL(/error_code=/);
      await isShown(page);
    },
  },
];
