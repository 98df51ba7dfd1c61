import type { Page } from 'playwright-core';
import type { InteractionMeter } from './measure-interactions.ts';

const KEY_EVERY_MS = 80;
/** How long the user looks at a result. */
const LOOK_MS = 500;

/** Does a round of a user’s daily work while messages arrive, and returns to the list. */
export async function workInInbox(page: Page, { perform }: InteractionMeter): Promise<void> {
  const views = page.getByRole('navigation', { name: 'Views' }).filter({ visible: true });
  const type = (text: string): Promise<void> => page.keyboard.type(text, { delay: KEY_EVERY_MS });
  const look = (): Promise<void> => page.waitForTimeout(LOOK_MS);

  await perform('open a conversation', () => clickRow(page, 'conversation', 'conversations'));
  await page.mouse.move(900, 400);
  await page.getByRole('log', { name: 'Messages' }).waitFor();
  await look();
  await perform('type a reply', async () => {
    await page.keyboard.press('r');
    await type('Yes, at nine tomorrow.');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
  });
  await look();
  for (const filter of ['Unassigned', 'Mine', 'All']) {
    await perform('switch the filter', () =>
      page.getByRole('button', { name: filter, exact: true, pressed: false }).click(),
    );
    await look();
  }
  await perform('search the list', async () => {
    await page.keyboard.press('f');
    await type('2049');
    await look();
    // The first Escape clears the field, the second leaves it.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });
  await look();
  await perform('search everything', async () => {
    await page.keyboard.press('/');
    await type('one more');
    await page.getByRole('dialog', { name: 'Search' }).locator('mark').first().waitFor();
    await look();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  });
  await look();
  await perform('switch the view', () =>
    views.getByRole('link', { name: 'Messages', exact: true }).click(),
  );
  await page.locator('[data-message]').first().waitFor();
  await look();
  await perform('open a message', () => clickRow(page, 'message', 'messages'));
  await page.getByRole('list', { name: 'Timeline' }).waitFor();
  await look();
  await perform('close a message', () => page.keyboard.press('Escape'));
  await perform('switch the view', () =>
    views.getByRole('link', { name: /^Conversations/ }).click(),
  );
  await page.locator('[data-conversation]').first().waitFor();
  await look();
}

/** Clicks into a moving list. Waits until the row that was under the pointer is open. */
async function clickRow(page: Page, what: string, path: string): Promise<void> {
  const list = await page.locator(`[data-${what}]`).first().locator('..').boundingBox();
  await page.mouse.move((list?.x ?? 0) + 100, (list?.y ?? 0) + 150);
  const id = await page.locator(`[data-${what}]:hover`).getAttribute(`data-${what}`);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForURL(`**/${path}/${encodeURIComponent(id ?? '')}`);
}
