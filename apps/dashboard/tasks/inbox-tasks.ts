import type { Note } from '@switchboard/contracts';
import type { Page } from 'playwright-core';
import { createPicture } from '../test/create-picture.ts';
import type { Task } from './task.ts';
import { typeDayAfter } from './type-day.ts';

const FRIEND = 'Maya Okafor';
/** A contact with a newer conversation, which is unassigned. */
const OTHER = 'Noor Haddad';

const inbox = (page: Page) => page.getByRole('region', { name: 'Conversations' });
const row = (page: Page, name: string) => inbox(page).getByRole('link', { name });
const log = (page: Page) => page.getByRole('log', { name: 'Messages' });
const found = (page: Page) => page.getByRole('dialog', { name: 'Search' }).getByRole('link');

const CONVERSATIONS = 'conversations';
const THREAD = 'conversations/{friend}';

export const INBOX_TASKS: readonly Task[] = [
  {
    name: 'Find what a customer wrote last week',
    async run({ page, hands }) {
      await hands.press('/');
      await hands.type('mudguards');
      await found(page)
        .filter({ hasText: `From ${FRIEND}` })
        .filter({ hasText: 'Do you also sell mudguards' })
        .waitFor();
    },
  },
  {
    name: 'Open the conversation with a customer, by name',
    async run({ page, hands }) {
      await hands.press('/');
      await hands.type('maya');
      await found(page).filter({ hasText: FRIEND }).first().waitFor();
      await hands.press('Enter');
      await page.getByRole('heading', { name: FRIEND }).waitFor();
    },
  },
  {
    name: 'Find a conversation by the end of its number',
    start: CONVERSATIONS,
    async run({ page, hands, history }) {
      await hands.press('f');
      await hands.type(history.friend.slice(-4));
      await row(page, FRIEND).waitFor();
      await row(page, OTHER).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'Answer a customer',
    start: CONVERSATIONS,
    async run({ page, hands }) {
      await hands.click(row(page, FRIEND));
      await log(page).waitFor();
      await hands.press('r');
      await hands.type('See you tomorrow.');
      await hands.press('Enter');
      await log(page).getByText('See you tomorrow.').waitFor();
    },
  },
  {
    name: 'Answer with a saved reply',
    start: THREAD,
    async run({ page, hands }) {
      await hands.press('r');
      await hands.type('/open');
      await page.getByRole('option', { name: 'Opening hours' }).waitFor();
      await hands.press('Enter');
      await hands.press('Enter');
      await log(page).getByText('We are open from Monday').last().waitFor();
    },
  },
  {
    name: 'Answer with a picture',
    start: THREAD,
    async run({ page, hands }) {
      await hands.chooseFile(page.getByRole('button', { name: 'Attach files' }), {
        name: 'brake.png',
        mimeType: 'image/png',
        buffer: createPicture(640, 480, [190, 40, 40]),
      });
      await hands.click(page.getByRole('button', { name: 'Send reply' }));
      await log(page).getByRole('button', { name: /^Open/ }).waitFor();
    },
  },
  {
    name: 'Answer tomorrow',
    start: THREAD,
    async run({ page, hands }) {
      await hands.press('r');
      await hands.type('How is the brake?');
      await hands.click(page.getByRole('button', { name: 'Send later' }));
      await typeDayAfter(hands, page.getByLabel('Send at'));
      await hands.click(page.getByRole('button', { name: 'Schedule reply' }));
      await log(page)
        .getByRole('link', { name: /^Scheduled for/ })
        .waitFor();
    },
  },
  {
    name: 'See who the customer is, with tags and order',
    start: CONVERSATIONS,
    async run({ page, hands }) {
      await hands.click(row(page, FRIEND));
      await page.getByText('Gazelle Paris, blue').filter({ visible: true }).waitFor();
      await page.getByText('workshop').filter({ visible: true }).waitFor();
    },
  },
  {
    name: 'Give a conversation to a colleague',
    start: THREAD,
    async run({ page, hands, colleague }) {
      await hands.choose(page.getByLabel('Assigned to'), colleague);
      await row(page, FRIEND).filter({ hasText: colleague }).waitFor();
    },
  },
  {
    name: 'Hand a conversation to a colleague with a note',
    start: THREAD,
    async run({ page, hands, colleague }) {
      await hands.press('n');
      await hands.type('Please call, @gra');
      await page.getByRole('listbox').getByRole('option', { name: colleague }).waitFor();
      await hands.press('Enter');
      await hands.press('Enter');
      await log(page).getByText(`Please call, @${colleague}`).waitFor();
      await hands.choose(page.getByLabel('Assigned to'), colleague);
      await row(page, FRIEND).filter({ hasText: colleague }).waitFor();
    },
  },
  {
    name: 'Correct a note',
    start: THREAD,
    prepare: ({ stack, conversation }) =>
      stack.request<Note>('POST', `${conversation}/notes`, { body: 'The cable costs 20' }),
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Edit this note' }).last());
      await hands.type(' euros');
      await hands.press('Enter');
      await log(page).getByText('The cable costs 20 euros').waitFor();
      await log(page).getByText('edited').waitFor();
    },
  },
  {
    name: 'Take a conversation',
    start: THREAD,
    prepare: ({ stack, conversation }) =>
      stack.request('PATCH', conversation, { assignee_id: null }),
    async run({ page, hands }) {
      await hands.press('i');
      await row(page, FRIEND).filter({ hasText: 'Owner' }).waitFor();
    },
  },
  {
    name: 'See only what is assigned to me',
    start: CONVERSATIONS,
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Mine' }));
      await row(page, OTHER).waitFor({ state: 'detached' });
      await row(page, FRIEND).waitFor();
    },
  },
  {
    name: 'See what is unassigned',
    start: CONVERSATIONS,
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Unassigned' }));
      await row(page, FRIEND).waitFor({ state: 'detached' });
      await row(page, OTHER).waitFor();
    },
  },
  {
    name: 'See the notes that mention me',
    start: CONVERSATIONS,
    async run({ page, hands }) {
      await hands.click(page.getByRole('button', { name: 'Mentions' }));
      await page.getByRole('list', { name: 'Mentions' }).getByText('Yours, @Owner?').waitFor();
    },
  },
  {
    name: 'Close a conversation',
    start: THREAD,
    async run({ page, hands }) {
      await hands.press('e');
      await page.getByRole('button', { name: 'Reopen' }).waitFor();
    },
  },
  {
    name: 'Find a closed conversation and open it again',
    start: CONVERSATIONS,
    prepare: ({ stack, conversation }) => stack.request('PATCH', conversation, { state: 'closed' }),
    async run({ page, hands }) {
      await hands.choose(page.getByLabel('State'), 'Closed');
      await hands.click(row(page, FRIEND));
      await page.getByRole('button', { name: 'Reopen' }).waitFor();
      await hands.press('e');
      await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
    },
  },
  {
    name: 'Leave a conversation unread for later',
    start: THREAD,
    async run({ page, hands }) {
      await hands.press('u');
      await row(page, FRIEND)
        .filter({ hasText: /unread/ })
        .waitFor();
    },
  },
];
