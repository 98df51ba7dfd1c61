import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import {
  api,
  opened,
  page,
  stack,
  useDashboard,
  view,
  waitUntilNoDialog,
} from './use-dashboard.ts';

const MAYA = '+14155550191';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    const maya = { number: MAYA, name: 'Maya Okafor' };
    await stack.request('POST', `${api}/contacts`, maya);
    const grace = { number: '+14155550192', name: 'Grace Hopper' };
    await stack.request('POST', `${api}/contacts`, grace);
    await stack.receive(MAYA, 'Could you also look at the rear brake of my bicycle?');
    await stack.receive('+14155550193', 'Is the brake of the other one fixed?');
  },
});

const dialog = () => page.getByRole('dialog', { name: 'Search' });
const box = () => dialog().getByRole('searchbox');
const linksIn = (group: string) => dialog().getByRole('region', { name: group }).getByRole('link');

test('the key / opens the same search on every page, which finds messages by words in any order', async () => {
  for (const path of ['messages', 'conversations', 'contacts', 'overview', 'settings']) {
    await page.goto(`${view}/${path}`);
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor();
    await page.keyboard.press('/');
    await box().waitFor();
    await page.keyboard.press('Escape');
    await waitUntilNoDialog();
  }
  await page.keyboard.press('/');
  await box().fill('BRAK rear');
  await linksIn('Messages').first().waitFor();
  await expect.poll(() => linksIn('Messages').count(), EVENTUALLY).toBe(1);
  const marks = () => dialog().locator('mark').allTextContents();
  await expect.poll(marks, EVENTUALLY).toEqual(['rear', 'brak']);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'From Maya Okafor' }).waitFor();
});

test('a search finds people by name or by digits in any notation, and the arrow keys move between the results', async () => {
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await box().fill('hopper');
  await linksIn('Contacts').getByText('Grace Hopper').waitFor();
  await box().fill('(415) 555-0191');
  await linksIn('Conversations').getByText('Maya Okafor').waitFor();
  await linksIn('Messages').getByText('rear').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Maya Okafor' }).waitFor();
  expect(decodeURIComponent(page.url())).toContain(`/conversations/${MAYA}`);
});

test('a search without a result shows “Nothing found”, and no search logs an error', async () => {
  await page.keyboard.press('/');
  await box().fill('xylophone');
  await dialog().getByText('Nothing found').waitFor();
  await box().fill('x');
  await dialog().getByText('Type at least two characters.').waitFor();
  await page.keyboard.press('Escape');
  expect(opened.errors).toEqual([]);
});
