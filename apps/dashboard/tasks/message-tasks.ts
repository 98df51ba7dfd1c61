import type { Page } from 'playwright-core';
import { typeDayAfter } from './type-day.ts';
import type { Task } from './task.ts';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Message' });
const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
const problem = (page: Page) => panel(page).getByRole('region', { name: 'What went wrong' });
const composer = (page: Page) => dialog(page, 'New message');
const text = (within: ReturnType<typeof dialog>) => within.getByLabel('Message', { exact: true });
const button = (within: ReturnType<typeof dialog>, name: string) =>
  within.getByRole('button', { name, exact: true });

const messages = (page: Page) => page.getByRole('table', { name: 'Messages' });
const failed = (page: Page) => messages(page).getByRole('link', { name: /(Failed|Undelivered)$/ });

const REMINDER = 'messages/{reminderId}';

export const MESSAGE_TASKS: readonly Task[] = [
  {
    name: 'Write to a new number',
    async run({ page, hands }) {
      await hands.press('c');
      await hands.type('+14155550133');
      await hands.click(text(composer(page)));
      await hands.type('Your bicycle is ready.');
      await hands.click(button(composer(page), 'Send'));
      await panel(page).getByRole('heading', { name: 'To +1 415 555 0133' }).waitFor();
    },
  },
  {
    name: 'Write to a contact by name, and send the message tomorrow',
    async run({ page, hands }) {
      await hands.press('c');
      await hands.type('Noor');
      await composer(page).getByRole('option', { name: 'Noor Haddad' }).waitFor();
      await hands.press('Enter');
      await hands.click(text(composer(page)));
      await hands.type('See you tomorrow.');
      await hands.click(button(composer(page), 'Send later'));
      await typeDayAfter(hands, composer(page).getByLabel('Send at'));
      await hands.click(button(composer(page), 'Schedule'));
      await panel(page).getByRole('heading', { name: 'To Noor Haddad' }).waitFor();
      await panel(page).getByText('Will be sent').waitFor();
    },
  },
  {
    name: 'Change the text of a scheduled message',
    start: REMINDER,
    async run({ page, hands }) {
      const changing = dialog(page, 'Change scheduled message');
      await hands.click(panel(page).getByRole('button', { name: 'Change' }));
      await hands.click(text(changing));
      await hands.press('End');
      await hands.type(' Please be on time.');
      await hands.click(button(changing, 'Schedule'));
      await panel(page).getByText('at nine. Please be on time.').waitFor();
      await panel(page).getByText('Will be sent').waitFor();
    },
  },
  {
    name: 'Move a scheduled message to another day',
    start: REMINDER,
    async run({ page, hands }) {
      const changing = dialog(page, 'Change scheduled message');
      const before = await panel(page).getByText('Will be sent').textContent();
      await hands.click(panel(page).getByRole('button', { name: 'Change' }));
      await typeDayAfter(hands, changing.getByLabel('Send at'), 3);
      await hands.click(button(changing, 'Schedule'));
      await panel(page)
        .getByText('Will be sent')
        .filter({ hasNotText: before ?? '' })
        .waitFor();
    },
  },
  {
    name: 'Send a scheduled message now',
    start: REMINDER,
    async run({ page, hands }) {
      await hands.click(panel(page).getByRole('button', { name: 'Send now' }));
      await hands.click(button(dialog(page, 'Send this message now?'), 'Send now'));
      await panel(page).getByText('Delivered').first().waitFor();
    },
  },
  {
    name: 'Cancel a scheduled message',
    start: REMINDER,
    async run({ page, hands }) {
      await hands.click(panel(page).getByRole('button', { name: 'Cancel sending' }));
      await hands.click(button(dialog(page, 'Cancel this message?'), 'Cancel sending'));
      await panel(page).getByText('Canceled').first().waitFor();
    },
  },
  {
    name: 'See why a message failed, and send it again',
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Views' }));
      const views = page.getByRole('list', { name: 'Saved views' });
      await hands.click(views.getByRole('link', { name: 'Not delivered' }));
      await page.waitForURL(/status=failed/);
      await hands.click(failed(page).first());
      await problem(page).waitFor();
      await hands.click(panel(page).getByRole('button', { name: 'Send again' }));
      await hands.click(button(composer(page), 'Send'));
      await panel(page).getByRole('link', { name: 'First message' }).waitFor();
    },
  },
  {
    name: 'See all messages with the same error',
    start: 'messages/{failedId}',
    async run({ page, hands }) {
      await hands.click(problem(page).getByRole('link', { name: 'All messages with this error' }));
      await page.waitForURL(/error_code=/);
      await failed(page).first().waitFor();
    },
  },
  {
    name: 'Go from a message to the conversation',
    start: 'messages/{deliveredId}',
    async run({ page, hands }) {
      await hands.click(panel(page).getByRole('link', { name: 'Conversation' }));
      await page.getByRole('log', { name: 'Messages' }).waitFor();
    },
  },
  {
    name: 'Follow a message from acceptance to delivery',
    async run({ page, hands }) {
      await hands.click(
        messages(page)
          .getByRole('link', { name: /Delivered$/ })
          .first(),
      );
      await timeline(page).first().waitFor();
    },
  },
];
