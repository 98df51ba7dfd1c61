import type { Message } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { api, page, stack, view } from '../use-dashboard.ts';
import { expectTotal, panel, rows, send, watchStatuses } from './environment.ts';

export function describeMessages(): void {
  test('a visitor must sign in, and a wrong password shows an error', async () => {
    await page.goto(`${view}/messages`);
    await page.getByLabel('Email').fill(stack.owner.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Wrong email or password.').waitFor();
    await page.getByLabel('Password').fill(stack.owner.password);
    await page.keyboard.press('Enter');
    await page.getByText('No messages yet').waitFor();
    expect(page.url()).toBe(`${view}/messages`);
  });

  test('the first steps link to the settings and show which of them are done', async () => {
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('Connect a provider (done)').waitFor();
    await steps.getByRole('link', { name: 'Add a number' }).click();
    await page.getByLabel('Number', { exact: true }).fill('+1 500 555 0006');
    await page.getByLabel('Label (optional)').fill('Support');
    await page.getByRole('button', { name: 'Add number' }).click();
    await page.getByText('is ready. Messages to it appear here').waitFor();
    await page.getByRole('link', { name: 'Messages' }).first().click();
    await steps.getByText('Add a number (done)').waitFor();
    await expect.poll(() => steps.getByText('(done)').count(), EVENTUALLY).toBe(3);
  });

  test('a banner shows that nothing leaves the machine only while a simulator replaces the carrier', async () => {
    const banner = page.getByRole('complementary', { name: 'Carrier simulator' });
    await banner.getByText(': nothing leaves this machine').waitFor();
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('a phone in your browser receives it').waitFor();
    await banner.getByRole('button', { name: 'Connect a real account' }).click();
    await page.getByText('TWILIO_API_URL=https://api.twilio.com').waitFor();
    await page.keyboard.press('Escape');

    await page.route('**/api/ui/me', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        json: { ...((await response.json()) as object), carrier_simulated: false },
      });
    });
    await page.reload();
    await steps.getByText('To your own phone').waitFor();
    await expect.poll(() => banner.count(), EVENTUALLY).toBe(0);
    await page.unroute('**/api/ui/me');
    await page.reload();
    await banner.waitFor();
  });

  test('a sent message is shown as queued, sent and delivered in this order', async () => {
    // The test sends the callbacks itself, so that no status changes before the page shows it.
    await stack.configureCarrier({ callback_delay_ms: 600_000 });
    const seen = await watchStatuses();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New message' });
    await dialog.getByLabel('To', { exact: true }).pressSequentially('15005550014');
    await dialog.getByText('+15005550014').waitFor();
    await dialog.getByLabel('Message', { exact: true }).fill('See you at 5 €');
    await dialog.getByText('These characters count twice: €').waitFor();
    await dialog.getByLabel('Message', { exact: true }).fill('See you at “five”');
    await dialog.getByText('UCS-2').waitFor();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();

    await panel().locator('[data-status=queued]').waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    const readSid = async () =>
      (await stack.request<Message>('GET', `${api}/messages/${id}`)).provider_sid;
    await expect.poll(readSid, EVENTUALLY).not.toBeNull();
    const sid = (await readSid()) ?? '';
    await stack.sendStatusCallback(id, sid, 'sent');
    await panel().locator('[data-status=sent]').waitFor();
    await stack.sendStatusCallback(id, sid, 'delivered');
    await panel().locator('[data-status=delivered]').waitFor();
    const statuses = async () => (await seen()).filter((status) => status !== 'sending');
    await expect.poll(statuses, EVENTUALLY).toEqual(['queued', 'sent', 'delivered']);
    // The row in the table shows the new status too.
    await rows().locator('[data-status=delivered]').waitFor();
    await stack.configureCarrier({ callback_delay_ms: 0 });
  });

  test('the message panel shows every step of a message and the provider’s message ID', async () => {
    const steps = panel().getByRole('list', { name: 'Timeline' }).getByRole('listitem');
    await steps.filter({ hasText: 'Delivered' }).waitFor();
    const titles = (await steps.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(titles.join('\n')).toMatch(
      /Accepted.*\n.*Sending to the provider.*\n.*Accepted by the provider.*\n.*Sent.*\n.*Delivered/,
    );
    expect(titles.slice(1).every((title) => /^after \d/.test(title))).toBe(true);
    expect(await panel().locator('code').first().innerText()).toMatch(/^SM[0-9a-f]{32}$/);
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
  });

  test('a failed message shows an explanation of its error and what to do', async () => {
    const { id } = await send('+15005550013', 'To a landline');
    await page.goto(`${view}/messages/${id}`);
    await panel()
      .getByText('The recipient is a landline, or its carrier can’t be reached.')
      .waitFor();
    expect(await panel().getByText('Ask for a mobile number.').count()).toBe(1);
    await page.goto(`${view}/messages`);
  });

  test('new messages appear live, but do not move the row under the pointer', async () => {
    await rows().nth(1).waitFor();
    const first = rows().first();
    const before = await first.getAttribute('data-message');
    await first.hover();
    const { id } = await send('+14155550101', 'Above the row under the pointer');
    await page.getByRole('button', { name: '1 new message' }).waitFor();
    expect(await first.getAttribute('data-message')).toBe(before);

    await page.getByRole('heading', { name: 'Messages', level: 1 }).hover();
    await page.locator(`[data-message="${id}"]`).waitFor();
    await expect.poll(() => first.getAttribute('data-message'), EVENTUALLY).toBe(id);
  });

  test('the key f focuses the filters before the next key is handled, and the address keeps them', async () => {
    for (let n = 0; n < 30; n += 1) await send(`+1415555020${n % 10}`, `Page ${n}`);
    await expectTotal(33);
    await page.getByLabel('Rows').selectOption('25');
    await page.getByText('1–25 of 33').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('26–33 of 33').waitFor();
    await page.waitForURL((url) => url.search === '?limit=25&page=2');

    const bar = page.getByRole('search', { name: 'Filter messages' });
    // One expression, so that no frame is rendered between the key and the check.
    const isFocused = `window.dispatchEvent(new KeyboardEvent('keydown', { key: 'f' })),
      document.activeElement.matches('[data-find]')`;
    expect(await page.evaluate(isFocused)).toBe(true);
    await bar.getByLabel('To', { exact: true }).fill('+1 (415) 555-0203');
    await bar.getByLabel('To', { exact: true }).press('Enter');
    await expectTotal(3);
    expect(new URL(page.url()).searchParams.get('to')).toBe('+1 (415) 555-0203');
    await bar.getByLabel('Direction').selectOption('inbound');
    await page.getByText('No matching messages').waitFor();
    await page.reload();
    await page.getByText('No matching messages').waitFor();
    await page.getByRole('button', { name: 'Show all messages' }).click();
    await expectTotal(33);
  });

  test('keyboard shortcuts move between messages, and open and close them', async () => {
    await rows().nth(1).waitFor();
    const ids = await rows().evaluateAll((all: { dataset: Record<string, string> }[]) =>
      all.map((row) => row.dataset['message']),
    );
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${view}/messages/${ids[1]}*`);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname.endsWith('/messages'));
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rows().count()).toBeGreaterThan(0);
  });

  test('an inbound message appears live in its thread and can be replied to', async () => {
    await page.getByRole('link', { name: 'Conversations' }).first().click();
    await page.getByRole('link', { name: '+1 500 555 0014' }).click();
    const thread = page.getByRole('log', { name: 'Messages' });
    await thread.getByText('See you at “five”').waitFor();
    await stack.receive('+15005550014', 'I will be late');
    await thread.getByText('I will be late').waitFor();

    await page.getByPlaceholder('Reply from +1 500 555 0006').fill('No problem');
    await page.keyboard.press('Enter');
    const response = thread.getByRole('listitem').filter({ hasText: 'No problem' });
    await response.locator('[data-status=sent]').waitFor();
    const reply = page.getByRole('textbox', { name: 'Reply' });
    await expect.poll(() => reply.inputValue(), EVENTUALLY).toBe('');
  });

  test('an API key can be created, is shown once and can be revoked', async () => {
    await page.goto(`${view}/settings/api-keys`);
    await page.getByLabel('Name').fill('Web shop');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('dialog').locator('[data-key]').innerText();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const useKey = () =>
      fetch(`${stack.url}/api/workspace`, { headers: { authorization: `Bearer ${key}` } });
    expect((await useKey()).status).toBe(200);

    await page.reload();
    await page.getByText('Web shop', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke Web shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked').waitFor();
    expect((await useKey()).status).toBe(401);
  });
}
