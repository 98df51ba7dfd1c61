import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { opened, page, useDashboard, view } from './use-dashboard.ts';

useDashboard({ settings: { PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8' } });

test('an owner adds an account, gives it a sender, routes messages to it, and removes it', async () => {
  const { errors } = opened;
  await page.goto(`${view}/settings/provider`);
  await page.getByText('Account SID', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Sandbox' }).click();
  await page.getByLabel('Name (optional)').fill('Backup');
  await page.getByRole('button', { name: 'Add account' }).click();
  await page.getByText('The account is added. The sandbox sends nothing.').waitFor();
  await page.getByRole('heading', { name: 'Provider accounts' }).waitFor();
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
  await page.getByLabel('Use another account when one is not available').check();
  await page.getByRole('button', { name: 'Save routing' }).click();
  await page.getByText('The routing is saved.').waitFor();

  await page.getByLabel('Recipient').fill('+442071838750');
  await page.getByRole('button', { name: 'Show the route' }).click();
  await page.getByText('The rule for +44 decides.').waitFor();
  await page.getByText('100 % with Second, from My Shop').waitFor();

  await page.getByRole('button', { name: 'Remove Second' }).click();
  const confirm = page.getByRole('dialog', { name: 'Remove Second?' });
  await confirm.getByRole('button', { name: 'Remove' }).click();
  await confirm.getByText('Numbers or routing rules use the provider').waitFor();
  await confirm.getByRole('button', { name: 'Keep' }).click();
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
  await page.getByText('Account SID', { exact: true }).waitFor();
  expect(errors).toEqual([]);
}, 120_000);

test('an owner connects a phone with a preset, sees no secret of it, and changes its description', async () => {
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
  const isFail = page.getByLabel('Mark it as failed: nothing is sent twice');
  expect(await isFail.isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Add account' }).click();
  await page.getByText('The gateway answers.').waitFor();
  await page.getByText(`HTTP gateway · http://127.0.0.1:${port}/`).waitFor();

  await page.getByRole('button', { name: 'Change Phone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Phone' });
  await dialog.getByText('send.headers.authorization_last4').waitFor();
  expect(await dialog.textContent()).not.toContain('a secret token');
  const change = dialog.getByLabel('What changes (optional)');
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
}, 120_000);
