import { createWorkspaceFixture } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { api, browser, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const THEM = '+14155550123';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.request('POST', `${api}/contacts`, { number: THEM, name: 'Grace' });
    await stack.request('POST', `${api}/saved-replies`, { name: 'Hours', body: 'From 9 to 5' });
    await stack.receive(THEM, 'Hello');
  },
});

test('an owner creates a limited API key, whose command works, and rotates it', async () => {
  await page.goto(`${view}/settings/api-keys`);
  await page.getByLabel('Name').fill('Reports');
  await page.getByLabel('Access').selectOption('Only what is selected');
  await page.getByLabel('Read messages').check();
  await page.getByLabel('Expires').selectOption('In 30 days');
  await page.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1');
  await page.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'The key “Reports”' });
  const first = await shown.locator('[data-key]').innerText();
  const command = await shown.getByText(/^curl .*\/api\/workspace/).innerText();
  const [, url = '', header = ''] = /^curl (\S+) -H "Authorization: (.*)"$/.exec(command) ?? [];
  const get = (address: string, authorization: string) =>
    fetch(address, { headers: { authorization }, signal: AbortSignal.timeout(60_000) });
  expect((await get(url, header)).status).toBe(200);
  expect(await shown.getByText(/^curl .*-d/).count()).toBe(0);
  const reference = await shown.getByRole('link', { name: 'API reference' }).getAttribute('href');
  expect((await get(`${stack.url}${reference}`, '')).status).toBe(200);
  await shown.getByRole('button', { name: 'I have copied it' }).click();

  const row = page.getByRole('listitem').filter({ hasText: 'Reports' });
  await row.getByText('Limited').waitFor();
  await row.getByText('About this key').click();
  await row.getByText('Read messages').waitFor();
  await row.getByText('127.0.0.0/8, ::1/128').waitFor();

  await row.getByRole('button', { name: 'Rotate Reports' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate “Reports”?' });
  await dialog.getByLabel('The old secret stops working').selectOption('Immediately');
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  const second = await shown.locator('[data-key]').innerText();
  expect(second).not.toBe(first);
  expect((await get(url, `Bearer ${first}`)).status).toBe(401);
  expect((await get(url, `Bearer ${second}`)).status).toBe(200);
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  expect(opened.errors).toEqual([]);
});

test('a viewer reads the workspace, is shown what a viewer may do, and has no control that the server refuses', async () => {
  const viewer = await createWorkspaceFixture(stack.database.url, { email: 'vera@example.com' });
  const invite = await stack.request<{ invite_token: string }>('POST', `${api}/members`, {
    email: viewer.email,
    role: 'viewer',
  });
  const accept = `/api/ui/invites/${invite.invite_token}/accept`;
  await stack.requestAs(viewer.sessionToken, 'POST', accept);
  const { page: theirs, errors, close } = await openPage(browser);
  const refused: string[] = [];
  theirs.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.request().method()} ${response.url()}`);
  });
  await theirs.goto(stack.url);
  await theirs.getByLabel('Email').fill(viewer.email);
  await theirs.getByLabel('Password').fill(viewer.password);
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await theirs.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();

  const changes = theirs.getByRole('button', {
    name: /^(New message|Write|Send|Reply|Note|Close|Reopen|Mark as unread|Import|New|Add|Save|Edit|Delete|Remove|Make default|Verify|Allow again|Opt out|Create|Rotate|Revoke|Repair|Set up)\b/,
  });
  const expectReadOnly = async (path: string, text: string) => {
    await theirs.goto(`${view}/${path}`);
    await theirs.getByText(text).filter({ visible: true }).first().waitFor();
    const names = await changes.filter({ visible: true }).allInnerTexts();
    expect([path, names]).toEqual([path, []]);
  };
  await expectReadOnly('messages', 'Hello');
  await theirs.keyboard.press('c');
  await expectReadOnly(`conversations/${encodeURIComponent(THEM)}`, 'As a viewer you can read');
  await theirs.getByRole('log', { name: 'Messages' }).getByText('Hello').waitFor();
  expect(await theirs.getByRole('dialog').count()).toBe(0);
  // For a member, an open thread is marked as read after 400 ms.
  await theirs.waitForTimeout(1_500);
  expect(await theirs.getByLabel('Assigned to').isDisabled()).toBe(true);
  await expectReadOnly('contacts', 'Grace');
  await theirs.getByRole('button', { name: /Grace/ }).click();
  await theirs.getByRole('dialog').getByLabel('Name').waitFor();
  expect(await theirs.getByRole('dialog').getByLabel('Name').isDisabled()).toBe(true);
  const buttons = theirs.getByRole('dialog').getByRole('button').filter({ visible: true });
  const closing = buttons.and(theirs.getByRole('button', { name: 'Close' }));
  expect(await buttons.count()).toBe(await closing.count());
  for (const section of [
    'general',
    'provider',
    'numbers',
    'api-keys',
    'opt-outs',
    'saved-replies',
  ]) {
    await expectReadOnly(`settings/${section}`, 'As a viewer you can read these settings');
  }
  await expectReadOnly('settings/members', 'What each role may do');
  const { unread_count: unread } = await stack.request<{ unread_count: number }>(
    'GET',
    `${api}/conversations/${encodeURIComponent(THEM)}`,
  );
  expect([unread, refused, errors]).toEqual([1, [], []]);
  await close();
});
