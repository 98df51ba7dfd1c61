import type { View } from './view.ts';

/** Opens states of a thread, and the help that lists its keys. */
export const THREAD_VIEWS: readonly View[] = [
  {
    name: 'shortcuts',
    async open(page, base, { friend }) {
      await page.goto(`${base}/conversations/${friend}`);
      await page.getByText('did you also look at the rear brake').last().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'reply-later',
    withoutScreenshot: true,
    async open(page, base, { friend }) {
      await page.goto(`${base}/conversations/${friend}`);
      await page.getByRole('textbox', { name: 'Reply' }).fill('שלום, the bicycle is ready.');
      await page.getByRole('button', { name: 'Send later' }).click();
      await page.getByLabel('Send at').waitFor();
    },
  },
  {
    name: 'note-removed',
    withoutScreenshot: true,
    async open(page, base, { friend }) {
      await page.goto(`${base}/conversations/${friend}`);
      await page.getByText('did you also look at the rear brake').last().waitFor();
      await page.keyboard.press('n');
      await page.keyboard.type('הערה: call Maya before six');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Remove this note' }).last().click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('This note was removed.').last().waitFor();
    },
  },
];
