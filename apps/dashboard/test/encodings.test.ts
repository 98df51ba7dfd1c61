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
  await dialog().getByRole('button', { name: 'Use plain characters and save 1 segment' }).click();
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

test('a reply that is shown with plain characters although its response was lost is not sent again with the next text', async () => {
  await page.goto(`${view}/conversations/${TO}`);
  const thread = page.getByRole('log');
  await thread.getByText(PLAIN, { exact: true }).waitFor();
  const reply = page.getByRole('textbox', { name: 'Reply' });
  const route = `**${api}/messages`;
  let lose = (): void => undefined;
  const lost = new Promise<void>((resolve) => (lose = resolve));
  await page.route(route, async (request) => {
    if (request.request().method() !== 'POST') return request.fallback();
    await request.fetch();
    await lost;
    return request.abort();
  });
  await reply.fill('“On my way”');
  await page.keyboard.press('Enter');
  await thread.getByText('"On my way"', { exact: true }).waitFor();
  await page.keyboard.type('See you');
  lose();
  await page.getByText('The server can’t be reached.').waitFor();
  await page.unroute(route);
  expect(await reply.inputValue()).toBe('See you');
  await reply.fill('');
});

test('a text with media is shown without the change, which does not happen', async () => {
  await compose();
  const meter = dialog().locator('p', { hasText: 'segment' });
  await meter.getByText('Sent with plain characters').waitFor();
  await dialog().getByRole('button', { name: 'Attach by URL' }).click();
  await dialog().getByLabel('Media URL 1', { exact: true }).fill('https://example.com/cat.jpg');
  await meter.getByText('Sent with plain characters').waitFor({ state: 'detached' });
  await meter.getByText('2 segments').waitFor();
  expect(await meter.textContent()).not.toContain('plain characters');
  await dialog().getByRole('button', { name: 'Discard' }).click();
});

test('a message that is sent now or again keeps its text, although the workspace prefers GSM-7', async () => {
  const to = '+14155550175';
  const send = (body: string) =>
    stack.request<{ id: string }>('POST', `${api}/messages`, {
      to,
      body,
      encoding: 'as_is',
      scheduled_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    });
  const panel = page.getByRole('complementary', { name: 'Message' });
  const now = await send('“Now”');
  await page.goto(`${view}/messages/${now.id}`);
  await panel.getByRole('button', { name: 'Send now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
  const again = await send('“Again”');
  await stack.request('POST', `${api}/messages/${again.id}/cancel`);
  await page.waitForURL((url) => !url.pathname.endsWith(now.id));
  await page.goto(`${view}/messages/${again.id}`);
  await panel.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  const bodies = async () => {
    const path = `${api}/messages?to=${encodeURIComponent(to)}`;
    const { messages } = await stack.request<MessageList>('GET', path);
    return messages.flatMap(({ id, body }) => ([now.id, again.id].includes(id) ? [] : [body]));
  };
  await expect.poll(bodies, EVENTUALLY).toEqual(['“Again”', '“Now”']);
});
