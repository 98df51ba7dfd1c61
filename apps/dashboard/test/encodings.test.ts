import type { MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, page, stack, useDashboard, view } from './use-dashboard.ts';

const TO = '+14155550174';
const TYPED = `${'x'.repeat(80)} – “yes”…`;
const PLAIN = `${'x'.repeat(80)} - "yes"...`;

useDashboard({
  fill: () => stack.request('POST', `${api}/numbers`, { number: '+15005550006' }),
});

const dialog = () => page.getByRole('dialog', { name: 'New message' });

async function compose(): Promise<void> {
  await page.goto(`${view}/messages`);
  await page.getByRole('button', { name: 'New message' }).first().click();
  await dialog().getByLabel('Message', { exact: true }).fill(TYPED);
}

test('the composer offers plain characters and says how many segments they save', async () => {
  await compose();
  await dialog().getByText('2 segments').waitFor();
  await dialog().getByRole('button', { name: 'Use plain characters, and save 1 segment' }).click();
  await dialog().getByText('1 segment', { exact: true }).waitFor();
  expect(await dialog().getByLabel('Message', { exact: true }).inputValue()).toBe(PLAIN);
  await dialog().getByRole('button', { name: 'Discard' }).click();
});

test('after the setting of the workspace, the composer shows what is replaced, and the sent text is the plain one', async () => {
  await page.goto(`${view}/settings/general`);
  await page.getByLabel('Quotes and dashes').selectOption('prefer_gsm7');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Saved\.?$/).waitFor();
  await compose();
  const meter = dialog().locator('p', { hasText: 'Sent with plain characters' });
  await meter.getByText('This saves 1 segment.').waitFor();
  await meter.getByText('1 segment', { exact: true }).waitFor();
  expect(await meter.locator('code').allTextContents()).toEqual([
    '–',
    '-',
    '“',
    '"',
    '”',
    '"',
    '…',
    '...',
  ]);
  expect(await dialog().getByLabel('Message', { exact: true }).inputValue()).toBe(TYPED);
  await dialog().getByLabel('To', { exact: true }).fill(TO);
  await dialog().getByRole('button', { name: 'Send', exact: true }).click();
  const bodies = async () => {
    const path = `${api}/messages?to=${encodeURIComponent(TO)}`;
    const { messages } = await stack.request<MessageList>('GET', path);
    return messages.map(({ body, segments, encoding }) => [body, segments, encoding]);
  };
  await expect.poll(bodies, EVENTUALLY).toEqual([[PLAIN, 1, 'prefer_gsm7']]);
});
