import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

useDashboard({ settings: { PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8' } });

test('an owner connects an SMPP account, and changes its window and country without the password', async () => {
  // A server that closes every connection: the account is stored, and the result of its check
  // contains the reason.
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await page.goto(`${view}/settings/provider`);
  await page.getByRole('button', { name: 'SMPP', exact: true }).click();
  await page.getByLabel('Host').fill('127.0.0.1');
  await page.getByLabel('Port').fill(String(port));
  expect(await page.getByLabel('Use TLS').isChecked()).toBe(true);
  await page.getByLabel('Use TLS').uncheck();
  await page.getByLabel('System ID').fill('shop');
  await page.getByLabel('Password').fill('a long enough secret');
  expect(
    await page.getByLabel('Mark the message as failed: nothing is sent twice').isChecked(),
  ).toBe(true);
  await page.getByText('Send the message once more: the recipient may receive it twice').waitFor();
  await page.getByText('More settings').click();
  expect(await page.getByLabel('Window').inputValue()).toBe('10');
  await page.getByLabel('Message IDs').selectOption('hex_in_response');
  expect(await page.getByLabel('Country').inputValue()).toBe('');
  await page.getByLabel('Country').selectOption('FR');
  await page.getByRole('button', { name: 'Connect SMPP' }).click();
  await page.getByText('SMPP is connected. The SMSC did not respond to the bind.').waitFor();

  await page.getByRole('button', { name: 'Change SMPP' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change SMPP' });
  await dialog.getByText('More settings').click();
  expect(await dialog.getByLabel('Port').inputValue()).toBe(String(port));
  expect(await dialog.getByLabel('Use TLS').isChecked()).toBe(false);
  expect(await dialog.getByLabel('Message IDs').inputValue()).toBe('hex_in_response');
  expect(await dialog.getByLabel('Country').inputValue()).toBe('FR');
  await dialog.getByLabel('Country').selectOption({ label: 'The country of the workspace' });
  await dialog.getByLabel('Window').fill('50');
  const save = dialog.getByRole('button', { name: 'Save account' });
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await save.click();
  expect(await (await saved).json()).toMatchObject({
    country: null,
    credentials: {
      window: 50,
      tls: false,
      message_ids: 'hex_in_response',
      source_ton: null,
      password_last4: 'cret',
    },
  });
  await dialog.waitFor({ state: 'detached' });

  // A change of the server must not reveal the password.
  await page.getByRole('button', { name: 'Change SMPP' }).click();
  await dialog.getByLabel('Host').fill('localhost');
  await save.click();
  await dialog.getByText('password').last().waitFor();
  await dialog.getByLabel('Password').fill('another long secret');
  await save.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('shop · •••• cret').waitFor();
  expect(opened.errors.filter((error) => !error.includes('400'))).toEqual([]);
});

const BIND_RESPONSE = 0x80000000;
const ENQUIRE_LINK = Buffer.from('00000010000000150000000000000001', 'hex');

/** A server that accepts every bind and then sends more empty PDUs than it may in a minute. */
function floodAfterBind(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.once('data', (bind) => {
    const response = Buffer.alloc(17);
    response.writeUInt32BE(response.length, 0);
    response.writeUInt32BE(BIND_RESPONSE + bind.readUInt32BE(4), 4);
    response.writeUInt32BE(bind.readUInt32BE(12), 12);
    socket.write(Buffer.concat([response, ...Array.from({ length: 1_001 }, () => ENQUIRE_LINK)]));
  });
}

test('the API and the dashboard show which limit of a session the server of a failing account exceeded', async () => {
  const server = createServer(floodAfterBind).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { id } = await stack.request<{ id: string }>('POST', `${api}/providers`, {
    type: 'smpp',
    name: 'Flooding',
    credentials: { host: '127.0.0.1', port, tls: false, system_id: 'flood', password: 'secret' },
  });
  const limit = 'The SMSC sent more than 1000 PDUs without a message within a minute.';
  await expect
    .poll(() => stack.request('GET', `${api}/providers/${id}`), EVENTUALLY)
    .toMatchObject({ status: 'failing', status_detail: limit });
  await page.goto(`${view}/settings/provider`);
  await page.getByText(limit).waitFor();
});
