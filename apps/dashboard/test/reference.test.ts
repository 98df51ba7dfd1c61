import { EVENTUALLY, createWorkspaceFixture } from '@switchboard/testing';
import { beforeAll, expect, test } from 'vitest';
import { opened, page, stack, useDashboard } from './use-dashboard.ts';

const warnings: string[] = [];
const origins = new Set<string>();

// Each test continues where the previous one ended.
useDashboard({ isSignedOut: true });
beforeAll(() => {
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  page.on('console', (entry) => {
    if (entry.type() === 'warning') warnings.push(entry.text());
  });
});

test('the API reference lists the operations in the order of their definitions, starting with sending', async () => {
  await page.goto(`${stack.url}/docs`);
  const operations = page.getByRole('navigation').getByRole('button', { name: 'HTTP Method' });
  await operations.first().waitFor();
  const titles = async () => (await operations.allInnerTexts()).map((text) => text.split('\n')[0]);
  await expect
    .poll(titles, EVENTUALLY)
    .toEqual([
      'Send a message',
      'List messages, newest first',
      'Send up to 1,000 messages in one request',
      'Receive a message in test mode',
      'Search messages for words or a number, newest first',
      'Export messages as CSV, newest first',
      'Get a message with its events',
      'Cancel a message before it is handed to the provider',
      'Get a media file of a message',
    ]);
});

test('a reader of the API reference can enter an API key, send the example request and see the id of a stored message', async () => {
  const { apiKey } = await createWorkspaceFixture(stack.database.url);
  const start = page.getByRole('region', { name: 'Introduction' });
  await start.getByRole('textbox', { name: 'Bearer Token' }).fill(apiKey);
  const operation = page.getByRole('region', { name: 'Send a message' });
  await operation.getByRole('button', { name: 'Test Request' }).click();
  const dialog = page.getByRole('dialog', { name: 'API Client' });
  await dialog.getByRole('button', { name: 'Send post request' }).click();
  const response = dialog.getByRole('region', { name: 'Response', exact: true });
  await response.getByText('201 Created').waitFor();
  await response.getByText('"queued"').waitFor();
  const [, id] = /"id": "([0-9a-f-]{36})"/.exec(await response.innerText()) ?? [];

  const stored = await fetch(`${stack.url}/api/messages/${id}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(await stored.json()).toMatchObject({ id, body: 'Your order has shipped.' });
});

test('the API reference also shows the document of the dashboard API', async () => {
  await page.goto(`${stack.url}/docs?api=dashboard`);
  await page.getByRole('heading', { name: 'Switchboard dashboard API' }).waitFor();
  const scheme = page.getByRole('button', { name: 'Selected Auth Type' }).first();
  await expect.poll(() => scheme.innerText(), EVENTUALLY).toContain('session');
});

test('the API reference loads nothing from another origin and logs no error and no warning', () => {
  expect([...origins]).toEqual([stack.url]);
  expect({ errors: opened.errors, warnings }).toEqual({ errors: [], warnings: [] });
});
