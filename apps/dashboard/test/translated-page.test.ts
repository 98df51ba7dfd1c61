import { afterEach, beforeEach, expect, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.receive('+14155550171', 'Hello');
  },
});

/** Wraps each text as the translation of Chrome does: in two elements, with a text of its own. */
const TRANSLATE = `(() => {
  const translate = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    for (const text of found) {
      const parent = text.parentElement;
      if (parent === null || text.data.trim() === '') continue;
      if (parent.closest('font, script, style, textarea, [translate=no]') !== null) continue;
      const outer = document.createElement('font');
      outer.append(document.createElement('font'));
      outer.firstChild.append(document.createTextNode(text.data));
      text.replaceWith(outer);
    }
  };
  translate(document.body);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.nodeType === 1) translate(node);
  }).observe(document.body, { childList: true, subtree: true });
})()`;

async function openTranslated(path: string, ready: string): Promise<void> {
  await page.goto(`${view}/${path}`);
  await page.getByText(ready).filter({ visible: true }).first().waitFor();
  await page.evaluate(TRANSLATE);
  await page.locator('font').first().waitFor();
}

const errors: string[] = [];
beforeEach(() => void (opened.errors.length = 0));
afterEach(() => void errors.push(...opened.errors));

const countFailures = () => page.getByText('could not be loaded').count();

test('on a translated page, an API key is created and shown until it is copied', async () => {
  await openTranslated('settings/api-keys', 'Create a key');
  await page.getByLabel('Name').fill('Web shop');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = page.getByRole('dialog').locator('[data-key]');
  const refusal = page.getByRole('alert');
  await key.or(refusal).waitFor();
  expect(await refusal.allTextContents()).toEqual([]);
  // The list has been fetched again behind the dialog.
  await page.getByRole('button', { name: 'Revoke Web shop', includeHidden: true }).waitFor();
  expect(await key.textContent()).toMatch(/^swb_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: 'Revoke Web shop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  expect(await countFailures()).toBe(0);
});

test('on a translated page, the forms of the settings can be submitted', async () => {
  await openTranslated('settings/members', 'Invite someone');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByRole('button', { name: 'Create invitation' }).click();
  await page.getByText(/#invite=/).waitFor();
  await page.getByRole('button', { name: /^Withdraw/ }).waitFor();

  await openTranslated('settings/webhooks', 'No endpoints yet');
  await page.getByLabel('URL').fill('https://shop.example.com/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByRole('dialog').locator('[data-secret]').waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: /^Delete/ }).waitFor();

  await openTranslated('settings/opt-outs', 'Add a number');
  await page.getByLabel('Number', { exact: true }).fill('+14155550187');
  await page.getByRole('button', { name: 'Opt out', exact: true }).click();
  await page.getByRole('button', { name: /^Allow again/ }).waitFor();
  await page.getByRole('button', { name: 'Save replies' }).click();
  await page.getByText('Saved.').waitFor();

  await openTranslated('settings/numbers', 'Add a number');
  await page.getByLabel('Number', { exact: true }).fill('+15005550020');
  await page.getByRole('button', { name: 'Add number' }).click();
  await page.getByRole('button', { name: 'Make default: +15005550020' }).click();
  await page.getByRole('button', { name: 'Make default: +15005550006' }).waitFor();

  await openTranslated('settings/general', 'Workspace ID');
  await page.getByLabel('Workspace name').fill('Workshop');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.getByText('Saved.').first().waitFor();

  await openTranslated('settings/account', 'This session');
  const account = page.getByRole('region', { name: 'Your account' });
  await account.getByLabel('Current password').fill('not my password');
  await account.getByLabel('New password').fill('a long sentence as password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('alert').filter({ hasText: 'not your current password' }).waitFor();
  expect(await countFailures()).toBe(0);
});

test('on a translated page, a conversation can be read, answered and closed', async () => {
  await openTranslated('conversations/+14155550171', 'Hello');
  await page.getByRole('textbox', { name: 'Reply' }).fill('Hi');
  await page.getByRole('textbox', { name: 'Reply' }).press('Enter');
  await page.getByRole('log').getByText('Hi', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('A note');
  await page.getByRole('textbox', { name: 'Note' }).press('Enter');
  await page.getByRole('log').getByText('A note').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await stack.receive('+14155550171', 'Thanks');
  await page.getByRole('log').getByText('Thanks').waitFor();
  expect(await countFailures()).toBe(0);
});

test('no translated page logs an error', () => {
  expect(errors).toEqual([]);
});
