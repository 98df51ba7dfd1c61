import type { MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, page, stack, useDashboard, view } from './use-dashboard.ts';

const TO = '+14155550172';
const LABELS = { reference: 'Order 7, part 2', metadata: { shop: 'Lisbon', order: '7' } };

useDashboard({
  fill: () => stack.request('POST', `${api}/numbers`, { number: '+15005550006' }),
});

const send = (message: object) =>
  stack.request<{ id: string }>('POST', `${api}/messages`, { to: TO, ...message });
const panel = () => page.getByRole('complementary', { name: 'Message' });

test('the filter finds a message by its whole reference, and the message shows the reference and the metadata', async () => {
  const { id } = await send({ body: 'With a reference', ...LABELS });
  await send({ body: 'Another one', reference: 'Order 7' });
  await page.goto(`${view}/messages`);
  await page.getByText('Another one').first().waitFor();
  const filter = page.getByRole('search').getByLabel('Reference');
  await filter.fill(` ${LABELS.reference} `);
  await filter.press('Enter');
  await page.waitForURL(/reference=Order/);
  await page.locator('[data-message]').nth(1).waitFor({ state: 'detached' });
  await page.locator(`[data-message="${id}"]`).click();
  await panel().getByText(LABELS.reference).waitFor();
  const metadata = panel().getByRole('heading', { name: 'Metadata' }).locator('+ dl');
  expect(await metadata.locator('dt').allTextContents()).toEqual(['shop', 'order']);
  expect(await metadata.locator('dd').allTextContents()).toEqual(['Lisbon', '7']);
});

test('a message that is sent again to the same person keeps the reference and the metadata, and one to another person does not', async () => {
  const scheduled_at = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const { id } = await send({ body: 'Once more', scheduled_at, ...LABELS });
  await stack.request('POST', `${api}/messages/${id}/cancel`);
  const other = '+14155550173';
  for (const to of [TO, other]) {
    await page.goto(`${view}/messages/${id}`);
    await panel().getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog');
    if (to === other) await dialog.getByLabel('To', { exact: true }).fill(to);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  const labels = async () => {
    const { messages } = await stack.request<MessageList>('GET', `${api}/messages?limit=100`);
    return messages
      .filter((message) => message.body === 'Once more' && message.id !== id)
      .map(({ to, reference, metadata }) => [to, reference, metadata])
      .toReversed();
  };
  await expect.poll(labels, EVENTUALLY).toEqual([
    [TO, LABELS.reference, LABELS.metadata],
    [other, null, {}],
  ]);
});
