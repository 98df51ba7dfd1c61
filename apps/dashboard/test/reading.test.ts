import type { Stats } from '@switchboard/contracts';
import type { Locator } from 'playwright-core';
import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { type History, fillHistory } from './fill-history.ts';
import { openPage, signIn } from './open-page.ts';
import { api, browser, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

/** The offset of this zone is not a whole number of hours, so neither days nor hours match those of UTC. */
const ZONE = 'Australia/Adelaide';
const ARABIC = 'مرحبا 123 (ABC)';

let history: History;

useDashboard({
  window: { timezoneId: ZONE, viewport: { width: 1440, height: 900 } },
  async fill() {
    history = await fillHistory(stack);
  },
});

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not shown.');
  return box;
};

describe('the overview', () => {
  const total = (name: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd');

  test('the overview shows scheduled messages separately from sent ones', async () => {
    // No message is older than this range, so that none leaves it between the two readings.
    await page.goto(`${view}/overview?range=30d`);
    const sent = total('Sent').first();
    await sent.waitFor();
    const before = await sent.innerText();
    const in2Days = new Date(Date.now() + 172_800_000).toISOString();
    for (const number of ['+14155550120', '+14155550121']) {
      const message = { to: number, body: 'Later', scheduled_at: in2Days };
      await stack.request('POST', `${api}/messages`, message);
    }
    await page.reload();
    await expect.poll(() => total('Scheduled').first().innerText(), EVENTUALLY).toBe('3');
    expect(await sent.innerText()).toBe(before);
  });

  test('the overview counts by day in the user’s time zone and names the time zone', async () => {
    const day = new Intl.DateTimeFormat('en-US', {
      timeZone: ZONE,
      month: 'short',
      day: 'numeric',
    });
    // The day may end while the test runs.
    const before = day.format(new Date());
    await page.goto(`${view}/overview?range=30d`);
    await page.getByText('As a table').click();
    const rows = page.getByRole('group', { name: 'Messages by time' }).locator('tbody tr');
    await expect.poll(() => rows.count(), EVENTUALLY).toBe(30);
    const last = await rows.last().getByRole('rowheader').innerText();
    expect([before, day.format(new Date())]).toContain(last);
    expect(await page.getByText(ZONE).filter({ visible: true }).count()).toBe(1);

    await page.setViewportSize({ width: 360, height: 740 });
    const zones = page.getByText(ZONE).filter({ visible: true });
    await expect.poll(() => zones.count(), EVENTUALLY).toBe(1);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('the chart of the overview has one labeled scale for sent and received messages', async () => {
    await page.goto(`${view}/overview?range=7d`);
    const ticks = page.getByRole('list', { name: 'Scale' }).getByRole('listitem');
    await ticks.first().waitFor();
    const places = await Promise.all(
      (await ticks.all()).map(async (tick) => {
        const { y, height } = await boxOf(tick);
        return { count: Number(await tick.innerText()), middle: y + height / 2 };
      }),
    );
    const line = places.findIndex(({ count }) => count === 0);
    expect(line).toBeGreaterThan(0);
    expect(line).toBeLessThan(places.length - 1);
    const middles = places.map(({ middle }) => middle);
    const gaps = middles.slice(1).map((middle, index) => middle - (middles[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeCloseTo(gaps[0] ?? 0, 0);
    // Ticks are equally spaced above and below the zero line.
    const counts = places.map(({ count }, index) => (index < line ? count : -count));
    const steps = counts.slice(1).map((count, index) => (counts[index] ?? 0) - count);
    expect(new Set(steps).size).toBe(1);
  });

  test('a bar of the overview links to exactly its messages', async () => {
    await page.goto(`${view}/overview?range=24h`);
    const bars = page.locator('[data-bars]');
    await bars.waitFor();
    const { width, height } = await boxOf(bars);
    // The highest of the 24 bars, without that of the current hour: at night, an hour may have no message.
    const highest = await page.evaluate<number>(`(() => {
      const heights = [...document.querySelectorAll('[data-bars] g')].slice(0, -1).map((bar) =>
        [...bar.children].reduce((sum, { height }) => sum + height.baseVal.value, 0));
      return heights.indexOf(Math.max(...heights));
    })()`);
    // The click waits until the chart does not move.
    await bars.click({ position: { x: (width * (highest + 0.5)) / 24, y: height / 2 } });
    await page.waitForURL(/\/messages\?startDate=/);
    const { searchParams } = new URL(page.url());
    const from = searchParams.get('startDate') ?? '';
    const to = searchParams.get('endDate') ?? '';
    expect(Date.parse(to) - Date.parse(from)).toBe(3_600_000);
    expect(new Date(from).getUTCMinutes()).toBe(30);
    const query = new URLSearchParams({ interval: 'hour', time_zone: ZONE, from, to });
    const { data } = await stack.request<Stats>('GET', `${api}/stats?${query.toString()}`);
    const counted = data.flatMap(({ counts }) => counts).reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBeGreaterThan(0);
    await page.locator(`[data-total="${counted}"]`).waitFor();
  });

  const readTotal = () => page.locator('[data-total]').getAttribute('data-total');
  const plain = (value: string): string => value.replaceAll(',', '');
  const open = async () => {
    await page.goto(`${view}/overview?range=30d`);
    await page.getByRole('heading', { name: 'By country' }).waitFor();
  };

  test.each(['By country', 'By sender', 'By provider account', 'By API key and person'])(
    'each figure of the overview’s table “%s” links to exactly its messages',
    async (title) => {
      await open();
      const table = page.getByRole('region', { name: title });
      // Messages without an account or a sender have no filter, and so no link.
      const link = page.getByRole('rowheader').getByRole('link');
      const row = table.getByRole('row').filter({ has: link }).first();
      const sent = await row.getByRole('cell').first().innerText();
      const failed = await row.getByRole('cell').nth(1).innerText();
      await row.getByRole('rowheader').getByRole('link').click();
      await expect.poll(readTotal, EVENTUALLY).toBe(plain(sent));
      if (failed === '0') return;
      await open();
      await row.getByRole('cell').nth(1).getByRole('link').click();
      await page.waitForURL(/status=failed/);
      await expect.poll(readTotal, EVENTUALLY).toBe(plain(failed));
    },
  );

  test('each total of the overview links to exactly its messages', async () => {
    const figures = ['Sent', 'Delivered', 'Failed', 'Received', 'Delivery rate'];
    let finished = 0;
    for (const name of figures) {
      await open();
      const shown = await total(name).first().innerText();
      if (name === 'Delivered' || name === 'Failed') finished += Number(plain(shown));
      const value = name === 'Delivery rate' ? String(finished) : shown;
      await total(name).first().getByRole('link').click();
      await expect.poll(readTotal, EVENTUALLY).toBe(plain(value));
    }
  });

  test('the overview of a workspace without messages shows no numbers', async () => {
    const created = await stack.request<{ id: string }>('POST', '/api/ui/workspaces', {
      name: 'Nothing yet',
    });
    await page.goto(`${stack.url}/w/${created.id}/overview`);
    const ticks = page.getByRole('list', { name: 'Scale' }).getByRole('listitem');
    await ticks.first().waitFor();
    await expect.poll(() => ticks.allInnerTexts(), EVENTUALLY).toEqual(['0']);
    expect(await page.getByText(/Most in one/).count()).toBe(0);
  });
});

test('every text from users has its own writing direction', async () => {
  await stack.receive('+14155550155', ARABIC);
  await stack.request('PATCH', api, { name: ARABIC });
  await stack.request('POST', `${api}/api-keys`, { name: ARABIC });
  const thread = `${view}/conversations/${encodeURIComponent('+14155550155')}`;
  // The elements that contain the text: workspace name, row, bubble, draft, API key.
  const directions = `[...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility())
    .filter(({ value, childNodes }) => value === '${ARABIC}' ||
      [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data === '${ARABIC}'))
    .map((element) => getComputedStyle(element).direction)`;
  for (const [address, places] of [
    [`${view}/messages`, 2],
    [thread, 4],
    [`${view}/settings/api-keys`, 2],
  ] as const) {
    await page.goto(address);
    if (address === thread) await page.getByRole('textbox', { name: 'Reply' }).fill(ARABIC);
    await expect
      .poll(() => page.evaluate<string[]>(directions), EVENTUALLY)
      .toEqual(Array.from({ length: places }, () => 'rtl'));
  }
});

test('a phone number is shown in the notation of its country', async () => {
  await stack.receive('+442079460958', 'From London');
  await page.goto(`${view}/messages`);
  const number = page.getByText('+44 20 7946 0958');
  await expect.poll(() => number.count(), EVENTUALLY).toBeGreaterThan(0);
});

test('all times of a message have the same format, and the time zone is shown once', async () => {
  await page.goto(`${view}/messages/${history.deliveredId}`);
  await page.getByRole('list', { name: 'Timeline' }).getByText('Delivered').waitFor();
  const times = await page.getByRole('complementary').locator('time').allInnerTexts();
  expect(times.length).toBeGreaterThan(1);
  for (const time of times) expect(time).toMatch(/^\d{1,2}:\d\d:\d\d\.\d{3}\s[AP]M$/);
  expect(await page.getByText(ZONE).filter({ visible: true }).count()).toBe(1);
});

test('the address of a page beyond the last one shows the last page', async () => {
  await page.goto(`${view}/messages?page=999&limit=100`);
  await page.locator('[data-message]').first().waitFor();
  await page.waitForURL((url) => url.searchParams.get('page') !== '999');
  expect(Number(new URL(page.url()).searchParams.get('page'))).toBeGreaterThan(1);
  const next = page.getByRole('button', { name: 'Next page' });
  await expect.poll(() => next.isDisabled(), EVENTUALLY).toBe(true);
});

test('opening a message moves neither the filters nor the list', async () => {
  await page.goto(`${view}/messages`);
  const row = page.locator('[data-message]').first();
  await row.waitFor();
  // Everything above the list has loaded.
  await page.getByRole('complementary', { name: 'Carrier simulator' }).waitFor();
  await page.locator('[data-connection=live]:visible').waitFor();
  const bar = page.getByRole('search', { name: 'Filter messages' });
  const before = [await boxOf(bar), (await boxOf(row)).y];
  await row.getByRole('link').click();
  await page.getByRole('complementary', { name: 'Message' }).waitFor();
  expect([await boxOf(bar), (await boxOf(row)).y]).toEqual(before);
});

test('at a width of 768 pixels there is one column beside the menu', async () => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto(`${view}/conversations/${history.friend}`);
  await page.getByRole('log', { name: 'Messages' }).waitFor();
  expect(await page.locator('[data-conversation]').filter({ visible: true }).count()).toBe(0);

  await page.goto(`${view}/messages/${history.deliveredId}`);
  await page.getByRole('complementary', { name: 'Message' }).waitFor();
  expect(await page.locator('[data-message]').filter({ visible: true }).count()).toBe(0);

  await page.goto(`${view}/settings/general`);
  const menu = await boxOf(page.getByRole('navigation', { name: 'Settings' }));
  const section = await boxOf(page.getByRole('region', { name: 'General' }));
  expect(section.y).toBeGreaterThanOrEqual(menu.y + menu.height);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a workspace without membership shows an error and opens no live connection', async () => {
  const { page: stranger, close } = await openPage(browser);
  await signIn(stranger, stack);
  for (const id of ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee36', 'nothing']) {
    await stranger.goto(`${stack.url}/w/${id}/messages`);
    await stranger
      .getByRole('heading', { name: 'You don’t have access to this workspace' })
      .waitFor();
    expect(await stranger.getByText('Reconnecting…').count()).toBe(0);
  }
  await stranger.getByRole('link', { name: 'Go to your messages' }).click();
  await stranger.locator('[data-connection=live]:visible').waitFor();
  await close();
});

test('the sign-in page has no link to sign up when sign-up is closed', async () => {
  const { page: guest, close } = await openPage(browser);
  const answered = guest.waitForResponse((response) => response.url().endsWith('/api/ui/users'));
  await guest.goto(`${stack.url}/sign-in`);
  await (await answered).finished();
  await guest.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await guest.getByRole('link', { name: 'Create an account' }).count()).toBe(0);

  await guest.route('**/api/ui/users', (route) => route.fulfill({ json: { sign_up: 'open' } }));
  await guest.reload();
  await guest.getByRole('link', { name: 'Create an account' }).waitFor();
  await close();
});

test('no page logs an error during the reading tests', () => {
  expect(opened.errors).toEqual([]);
});
