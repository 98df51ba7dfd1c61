import { EVENTUALLY } from '@switchboard/testing';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { api, page, stack, useDashboard, view } from './use-dashboard.ts';

const PHONE = { width: 360, height: 740 };
const CUSTOMER = '+14155550142';

useDashboard({
  window: { viewport: PHONE },
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.receive(CUSTOMER, 'Hello');
    const contact = {
      number: CUSTOMER,
      name: 'Maya Okafor',
      tags: ['customer', 'workshop', 'vip'],
    };
    await stack.request('POST', `${api}/contacts`, contact);
  },
});

/** Expects that the elements are in one row when the page has loaded. Until then, a banner moves them. */
async function expectOneRow(elements: Locator, count: number): Promise<void> {
  const countRows = async (): Promise<[elements: number, rows: number]> => {
    const boxes = await Promise.all((await elements.all()).map((element) => element.boundingBox()));
    const middles = boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2));
    return [boxes.length, new Set(middles).size];
  };
  await expect.poll(countRows, EVENTUALLY).toEqual([count, 1]);
}

test('on a phone, the account menu shows which theme is selected', async () => {
  await page.locator('button:visible', { hasText: 'Workspaces and account' }).click();
  const themes = page.getByRole('group', { name: 'Theme' }).filter({ visible: true });
  await themes.getByLabel('System').waitFor();
  expect(await themes.getByLabel('System').isChecked()).toBe(true);
  await themes.getByText('Dark').click();
  expect(await themes.getByLabel('Dark').isChecked()).toBe(true);
  await themes.getByText('System').click();
  await page.keyboard.press('Escape');
});

test('on a phone, the title and the buttons of the messages are in one row, with and without a filter', async () => {
  for (const filter of ['', '?status=failed']) {
    await page.goto(`${view}/messages${filter}`);
    const buttons = page.getByRole('button', { name: /^(Views|Export|Filters)/ });
    await expectOneRow(buttons.or(page.getByRole('heading', { level: 1 })), 4);
  }
});

test('on a phone, the tags of a contact are in the line below its name', async () => {
  await page.goto(`${view}/conversations/${CUSTOMER}`);
  const title = page.getByRole('heading', { name: 'Maya Okafor' });
  await title.waitFor();
  const details = page.getByText(/^customer, workshop, vip/);
  const isBelow = async (): Promise<boolean> => {
    const [first, second] = await Promise.all([title.boundingBox(), details.boundingBox()]);
    return first !== null && second !== null && second.y < first.y + 2 * first.height;
  };
  await expect.poll(isBelow, EVENTUALLY).toBe(true);
  const tags = page.getByText('workshop').filter({ visible: true });
  await expect.poll(() => tags.count(), EVENTUALLY).toBe(1);
});

test('a message that does not exist offers the way back to the list and no useless retry, on a phone and in a wide window', async () => {
  for (const viewport of [PHONE, { width: 1280, height: 800 }]) {
    await page.setViewportSize(viewport);
    await page.goto(`${view}/messages/01a1f7b3-89b6-7000-bd3d-4fb81d1bee36?direction=inbound`);
    const panel = page.getByRole('complementary', { name: 'Message' });
    await panel.getByRole('alert').getByText('This message does not exist').waitFor();
    expect(await panel.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await panel.getByRole('button', { name: 'Back to messages' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.locator('[data-message]').getByText('Hello').waitFor();
    expect(new URL(page.url()).search).toBe('?direction=inbound');
  }
});

test('in a window of 1280 px, all filters of the messages are in one row', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${view}/messages?status=failed`);
  const bar = page.getByRole('search', { name: 'Filter messages' });
  const filters = bar.getByRole('button').or(bar.locator('input:visible, select:visible'));
  await expectOneRow(filters, 11);
});
