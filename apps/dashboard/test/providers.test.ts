import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EVENTUALLY, createWorkspaceFixture, openTestDatabase } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openPage } from './open-page.ts';
import { api, browser, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

useDashboard({ settings: { PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8' } });

test('an owner adds an account, gives it a sender, routes messages to it, and removes it', async () => {
  const { errors } = opened;
  await page.goto(`${view}/settings/provider`);
  await page.getByRole('heading', { name: 'Provider accounts' }).waitFor();

  await page.getByRole('button', { name: 'Sandbox' }).click();
  await page.getByLabel('Name (optional)').fill('Backup');
  await page.getByRole('button', { name: 'Connect Sandbox' }).click();
  await page.getByText('Backup is connected. The sandbox sends nothing.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Change Backup' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Backup' });
  await dialog.getByLabel('Name (optional)').fill('Second');
  await dialog.getByRole('button', { name: 'Save account' }).click();
  await page.getByRole('button', { name: 'Switch off Second' }).click();
  await page.getByRole('button', { name: 'Switch on Second' }).click();
  await page.getByRole('button', { name: 'Switch off Second' }).waitFor();

  await page.goto(`${view}/settings/numbers`);
  await page.getByLabel('This is a short code or an alphanumeric sender ID').check();
  await page.getByLabel('Short code or sender ID').fill('My Shop');
  await page.getByLabel('Provider account', { exact: true }).selectOption({ label: 'Second' });
  await page.getByRole('button', { name: 'Add number' }).click();
  await page.getByText('My Shop is ready.').waitFor();
  const account = page.getByLabel('Provider account of My Shop');
  expect(await account.locator('option:checked').textContent()).toBe('Second');

  await page.goto(`${view}/settings/provider`);
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Numbers that begin with').fill('44');
  await page.getByRole('button', { name: 'Save routing' }).click();
  await page.getByText('Enter + and the first 1 to 15 digits').waitFor();
  await page.getByLabel('Numbers that begin with').fill('+44');
  await page.getByLabel('Weight of Second').fill('1');
  await page.getByLabel('Use another account when one is unavailable').check();
  await page.getByRole('button', { name: 'Save routing' }).click();
  await page.getByText('Routing saved.').waitFor();

  await page.getByLabel('Recipient').fill('+442071838750');
  await page.getByRole('button', { name: 'Show route' }).click();
  await page.getByText('The rule for +44 decides.').waitFor();
  await page.getByText('100% with Second, from My Shop').waitFor();

  await page.getByRole('button', { name: 'Remove Second' }).click();
  const confirm = page.getByRole('dialog', { name: 'Remove Second?' });
  await confirm.getByRole('button', { name: 'Remove' }).click();
  await confirm.getByText('Numbers or routing rules use the provider').waitFor();
  await confirm.getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByText('No rules: a message without a sender').waitFor();
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith('/routing'),
  );
  await page.getByRole('button', { name: 'Save routing' }).click();
  await saved;
  await page.goto(`${view}/settings/numbers`);
  await page.getByRole('button', { name: 'Remove My Shop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await account.waitFor({ state: 'detached' });
  await page.goto(`${view}/settings/provider`);
  await page.getByRole('button', { name: 'Remove Second' }).click();
  await confirm.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove Second' }).waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('an owner connects a phone with a preset, sees none of its secrets, and changes its configuration', async () => {
  const { errors } = opened;
  const phone = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  onTestFinished(() => void phone.close());
  await once(phone, 'listening');
  const { port } = phone.address() as AddressInfo;
  await page.goto(`${view}/settings/provider`);
  await page.getByRole('button', { name: 'HTTP gateway' }).click();
  await page.getByLabel('Kind of gateway').selectOption({ label: 'Traccar SMS Gateway' });
  await page.getByLabel('Name (optional)').fill('Phone');
  await page.getByLabel('Address of the gateway').fill(`http://127.0.0.1:${port}/`);
  await page.getByLabel('API key or token').fill('a secret token');
  const isFail = page.getByLabel('Mark the message as failed: nothing is sent twice');
  expect(await isFail.isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Connect HTTP gateway' }).click();
  await page.getByText('Phone is connected. The gateway responds.').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(`HTTP gateway · http://127.0.0.1:${port}/`).waitFor();

  await page.getByRole('button', { name: 'Change Phone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Phone' });
  await dialog.getByText('send.headers.authorization_last4').waitFor();
  expect(await dialog.textContent()).not.toContain('a secret token');
  const change = dialog.getByLabel('Changes (optional)');
  await change.fill('{"refused":');
  await dialog.getByRole('button', { name: 'Save account' }).click();
  await dialog.getByText('Enter a JSON object.').waitFor();
  await change.fill('{"refused": {"statuses": [500]}}');
  await dialog.getByRole('button', { name: 'Save account' }).click();
  await dialog.getByText('credentials.refused.statuses').waitFor();
  await change.fill('{"refused": {"statuses": [400, 401]}}');
  await dialog.getByRole('button', { name: 'Save account' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Change Phone' }).click();
  await dialog.getByText('400, 401').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove Phone' }).click();
  const confirm = page.getByRole('dialog', { name: 'Remove Phone?' });
  await confirm.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Change Phone' }).waitFor({ state: 'detached' });
  expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
});

test('an owner connects Vonage by following the steps for its console, and copies the webhook URLs', async () => {
  await page.goto(`${view}/settings/provider`);
  await page.getByRole('button', { name: 'Vonage', exact: true }).click();
  await page
    .getByRole('list', { name: 'Steps in the Vonage console' })
    .getByText('create an application with the Messages capability')
    .waitFor();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  await page.getByLabel('Application ID').fill('7b2e6c1a-52ad-4b8e-9d3f-0a1c5e7f9b24');
  await page
    .getByLabel('Private key')
    .fill(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  await page.getByLabel('Signature secret').fill('a-secret-of-the-signature');
  await page.getByRole('button', { name: 'Connect Vonage' }).click();
  await page.getByText('Vonage is connected.').waitFor();
  const accounts = await stack.request<{
    data: { type: string; webhook_urls: { inbound: string; status: string } }[];
  }>('GET', `${api}/providers`);
  const vonage = accounts.data.find(({ type }) => type === 'vonage');
  await page
    .getByText(vonage?.webhook_urls.inbound ?? 'none')
    .filter({ visible: true })
    .waitFor();
  await page
    .getByText(vonage?.webhook_urls.status ?? 'none')
    .filter({ visible: true })
    .waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // The button shows the result for two seconds, so the wait begins before the click.
  await Promise.all([
    page.getByRole('button', { name: 'Copy the inbound URL: copied' }).waitFor(),
    page.getByRole('button', { name: 'Copy the inbound URL', exact: true }).click(),
  ]);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(vonage?.webhook_urls.inbound);
  await page.getByRole('link', { name: 'Add the account’s numbers' }).click();
  await page.getByRole('heading', { name: 'Add a number' }).waitFor();
  expect(opened.errors).toEqual([]);
});

test('a click on a vendor reaches it although the figures of the accounts arrive during the click', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const path = '**/routing/shares?*';
  await page.route(path, async (route) => {
    await held;
    return route.fallback();
  });
  await page.goto(`${view}/settings/provider`);
  const vonage = page.getByRole('button', { name: 'Vonage', exact: true });
  await vonage.hover();
  await page.mouse.down();
  release();
  await page.getByText('Last 24 hours: no messages').first().waitFor();
  await page.mouse.up();
  const steps = page.getByRole('list', { name: 'Steps in the Vonage console' });
  await expect.poll(() => steps.count(), EVENTUALLY).toBe(1);
  await page.unroute(path);
});

test('credentials of a new account that the provider refuses are not stored', async () => {
  await page.goto(`${view}/settings/provider`);
  await page.getByRole('button', { name: 'Twilio', exact: true }).click();
  const other = await createWorkspaceFixture(stack.database.url, { email: 'o@example.com' });
  // The simulator accepts the first token of an account as its own.
  await stack.ownNumber('+14155550171', '', other);
  await page.getByLabel('Account SID').fill(other.accountSid);
  await page.getByLabel('Auth token').fill('0'.repeat(32));
  await page.getByRole('button', { name: 'Connect Twilio' }).click();
  await page.getByText('The provider does not accept these credentials.').waitFor();
  const { data } = await stack.request<{ data: object[] }>('GET', `${api}/providers`);
  expect(data).toHaveLength(2);
});

test('each account shows how many messages it sent, how many of them failed, and why it sends nothing', async () => {
  await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
  for (const to of ['+14155550172', '+14155550173']) {
    await stack.request('POST', `${api}/messages`, { to, body: 'Hello' });
  }
  await expect
    .poll(
      () =>
        stack.request<{ shares: { share: number; messages: number }[] }>(
          'GET',
          `${api}/routing/shares?period=day`,
        ),
      EVENTUALLY,
    )
    .toMatchObject({ shares: [{ share: 1, messages: 2 }] });
  await page.goto(`${view}/settings/provider`);
  const account = (n: number) =>
    page
      .getByRole('listitem')
      .filter({ hasText: /Verify/ })
      .nth(n);
  await account(0)
    .getByText('Last hour: 2 messages (100% of all): 2 delivered, 0 failed')
    .waitFor();
  await account(0).getByText('Last 24 hours: 2 messages (100% of all): 2 delivered').waitFor();
  await account(1).getByText('Last hour: no messages').waitFor();
  await account(0).getByText('Working').waitFor();

  for (let n = 0; n < 3; n += 1)
    await stack.request('POST', `${api}/messages`, { to: '+15005550015', body: 'Filtered' });
  await account(0)
    .getByText('Last hour: 5 messages (100% of all): 2 delivered, 3 failed')
    .waitFor();
  await account(0).getByText('Most messages fail').waitFor();

  const database = openTestDatabase(stack.database.url);
  await database.pool.query(
    `UPDATE provider_accounts SET failing_since = now(), failing_detail = 'read ECONNRESET',
       probe_at = now() + interval '1 hour' WHERE type = 'vonage'`,
  );
  await database.close();
  await page.reload();
  await page.locator('[data-account-status=failing]').waitFor();
  await page.getByText('The provider has not responded since').waitFor();
  await page.getByText('read ECONNRESET').waitFor();
  expect(opened.errors).toEqual([]);
});

test('a member sees the accounts with their health, but none of the owners’ controls', async () => {
  const invite = await stack.request<{ invite_token: string }>('POST', `${api}/members`, {
    email: 'grace@example.com',
    role: 'member',
  });
  const member = await openPage(browser);
  await member.page.goto(`${stack.url}/sign-up#invite=${invite.invite_token}`);
  await member.page.getByLabel('Name').fill('Grace');
  await member.page.getByLabel('Email').fill('grace@example.com');
  await member.page.getByLabel('Password').fill('a password for Grace');
  await member.page.getByRole('button', { name: 'Create account' }).click();
  await member.page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  await member.page.goto(`${view}/settings/provider`);
  await member.page.locator('[data-account-status=failing]').waitFor();
  await member.page.getByRole('button', { name: 'Verify Twilio' }).waitFor();
  const settings = member.page.getByRole('main');
  const owners = settings.getByRole('button', { name: /^(Change|Remove|Switch|Make) / });
  expect(await owners.count()).toBe(0);
  expect(await settings.getByRole('heading', { name: 'Add an account' }).count()).toBe(0);
  expect(member.errors).toEqual([]);
  await member.close();
});
