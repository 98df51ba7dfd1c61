import { EVENTUALLY } from '@switchboard/testing';
import type { Locator } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const ADA = '+14155550171';

useDashboard({
  async fill() {
    await stack.request('PATCH', api, { country: 'US' });
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.request('POST', `${api}/api-keys`, { name: 'Till' });
    await stack.request('POST', `${api}/webhook-endpoints`, { url: 'https://shop.example.com/1' });
    await stack.receive(ADA, 'When do you open?');
  },
});

/** Which requests are held back. */
let isHeld: (url: string) => boolean;
/** Lets one request pass, in the order in which they were made. */
let held: (() => void)[];

function releaseAll(): void {
  isHeld = () => false;
  for (const release of held.splice(0)) release();
}
beforeEach(() => {
  held = [];
  isHeld = () => false;
});
afterEach(releaseAll);
beforeAll(() =>
  page.route('**/api/ui/**', async (route) => {
    const request = route.request();
    if (request.method() === 'GET' && isHeld(request.url())) {
      await new Promise<void>((resolve) => void held.push(resolve));
    }
    // The page may have been left.
    await route.continue().catch(() => undefined);
  }),
);

const isList = (what: string) => (url: string) => url.includes(`${api}/${what}?`);

test('the column of national numbers is found although the country of the workspace arrives after the file', async () => {
  isHeld = (url) => url.endsWith(api);
  await page.goto(`${view}/contacts`);
  await page.getByRole('button', { name: 'Import' }).click();
  const buffer = Buffer.from('Name,Phone\nAda,(415) 555-0191\nBob,(415) 555-0192\n');
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer });
  await expect.poll(() => held.length, EVENTUALLY).toBeGreaterThan(0);
  expect(await page.getByRole('button', { name: 'Preview' }).count()).toBe(0);
  releaseAll();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('2 contacts to add').waitFor();
});

const typed = 'Typed while the list is fetched';

test.each([
  ['a new key', 'api-keys', 'Name', 'Create key', '[data-key]'],
  ['the secret of a new endpoint', 'webhook-endpoints', 'URL', 'Add endpoint', '[data-secret]'],
])(
  '%s is shown before the list is fetched again, and what is typed until then stays',
  async (_what, list, label, create, value) => {
    await page.goto(`${view}/settings/${list === 'api-keys' ? list : 'webhooks'}`);
    const field = page.getByLabel(label, { exact: true });
    await field.fill('https://shop.example.com/2');
    isHeld = isList(list);
    await page.getByRole('button', { name: create }).click();
    await page.getByRole('dialog').locator(value).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await field.fill(typed);
    await expect.poll(() => held.length, EVENTUALLY).toBeGreaterThan(0);
    releaseAll();
    await page.getByRole('button', { name: /^(Revoke|Delete) https:.*2$/ }).waitFor();
    expect(await field.inputValue()).toBe(typed);
  },
);

test.each([
  ['key', 'api-keys', 'api-keys', 'Rotate Till', 'Rotate', '[data-key]'],
  [
    'secret',
    'webhooks',
    'webhook-endpoints',
    'Replace secret of https://shop.example.com/1',
    'Replace secret',
    '[data-secret]',
  ],
])(
  'a replaced %s is shown before the list is fetched again, and the focus returns to its button',
  async (_what, section, list, open, replace, value) => {
    await page.goto(`${view}/settings/${section}`);
    const button = page.getByRole('button', { name: open });
    await button.click();
    isHeld = isList(list);
    await page.getByRole('dialog').getByRole('button', { name: replace, exact: true }).click();
    await page.getByRole('dialog').locator(value).waitFor();
    await expect.poll(() => held.length, EVENTUALLY).toBeGreaterThan(0);
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expect.poll(() => button.and(page.locator(':focus')).count(), EVENTUALLY).toBe(1);
    releaseAll();
  },
);

test.each([
  ['api-keys', 'api-keys', 'Create key'],
  ['webhooks', 'webhook-endpoints', 'Add endpoint'],
  ['members', 'members', 'Create invitation'],
  ['opt-outs', 'opt-outs', 'Opt out'],
  ['numbers', 'numbers', 'Add number'],
])(
  'in the section %s, no button is where the list above would move it when it arrives',
  async (section, list, name) => {
    isHeld = isList(list);
    await page.goto(`${view}/settings/${section}`);
    await expect.poll(() => held.length, EVENTUALLY).toBeGreaterThan(0);
    const button = page.getByRole('button', { name, exact: true, includeHidden: true });
    await button.waitFor({ state: 'attached' });
    expect(await button.isVisible()).toBe(false);
    releaseAll();
    await button.waitFor();
  },
);

interface FormCase {
  path: string;
  /** Opens the dialog with the form. */
  opener?: () => Locator;
  fields: Record<string, string>;
}

const FORMS: readonly FormCase[] = [
  { path: `conversations/${ADA}`, fields: { Reply: 'At nine.' } },
  {
    path: 'messages',
    opener: () => page.getByRole('button', { name: 'New message' }).filter({ visible: true }),
    fields: { To: '(415) 555-0199', Message: 'The bicycle is ready.' },
  },
  { path: 'messages', fields: { From: '+1415' } },
  {
    path: 'contacts',
    opener: () => page.getByRole('button', { name: 'New contact' }),
    fields: { Name: 'Grace', Number: '(415) 555-0199' },
  },
  { path: 'settings/general', fields: { 'Workspace name': 'Workshop' } },
  { path: 'settings/numbers', fields: { Number: '(415) 555-0199', 'Label (optional)': 'Shop' } },
  { path: 'settings/api-keys', fields: { Name: 'Web shop' } },
  { path: 'settings/webhooks', fields: { URL: 'https://shop.example.com/3' } },
  { path: 'settings/members', fields: { Email: 'grace@example.com' } },
  { path: 'settings/opt-outs', fields: { Number: '(415) 555-0199', 'Reply to HELP': 'Call us.' } },
  {
    path: 'settings/saved-replies',
    opener: () => page.getByRole('button', { name: 'New saved reply' }),
    fields: { Name: 'Hours', Text: 'We open at nine.' },
  },
  { path: 'settings/account', fields: { 'New password': 'another' } },
];

/** Numbers are grouped while they are typed. */
const plain = (text: string): string => text.replaceAll(/[\s()-]/g, '');

test.each(
  FORMS.flatMap((form) =>
    (['first', 'last'] as const).map((next) => ({
      ...form,
      next,
      names: Object.keys(form.fields).join(', '),
    })),
  ),
)(
  'what is typed in $names of $path stays when responses arrive later, the $next request’s response first',
  async ({ path, opener, fields, next }) => {
    isHeld = () => true;
    await page.goto(`${view}/${path}`);
    let button = opener?.();
    const isUsable = async (field: Locator): Promise<boolean> =>
      (await field.isVisible()) && (await field.isEnabled());
    const unfilled = new Map(Object.entries(fields));
    const form = opener === undefined ? page : page.getByRole('dialog');
    const labelled = (label: string): Locator => form.getByLabel(label, { exact: true });
    /** Fills each field as soon as it can be used. Returns whether all are filled. */
    const fill = async (): Promise<boolean> => {
      if (button !== undefined && (await isUsable(button))) {
        await button.click();
        button = undefined;
      }
      if (button === undefined) {
        for (const [label, text] of unfilled) {
          if (!(await isUsable(labelled(label)))) continue;
          await labelled(label).fill(text);
          unfilled.delete(label);
        }
      }
      return unfilled.size === 0;
    };
    const step = async (): Promise<boolean> => {
      if (await fill()) return true;
      (next === 'first' ? held.shift() : held.pop())?.();
      return false;
    };
    await expect.poll(step, { ...EVENTUALLY, interval: 100 }).toBe(true);
    releaseAll();
    await page.waitForLoadState('networkidle');
    const kept = Object.keys(fields).map(async (label) =>
      plain(await labelled(label).inputValue()),
    );
    expect(await Promise.all(kept)).toEqual(Object.values(fields).map(plain));
  },
);

test('no page logs an error while its responses arrive late', () => {
  expect(opened.errors).toEqual([]);
});
