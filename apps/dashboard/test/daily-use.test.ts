import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { api, browser, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const ADA = '+14155550171';
const BOB = '+14155550172';

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.receive(ADA, 'Is it\nready?');
    await stack.receive(BOB, '=1+1');
  },
});

const reply = (of: OpenPage) => of.page.getByRole('textbox', { name: 'Reply' });

/** Opens a thread in a window whose clock can be set. */
async function openAt(timezoneId: string, time: Date): Promise<OpenPage> {
  const window = await openPage(browser, { timezoneId });
  await window.page.clock.install({ time });
  await signIn(window.page, stack);
  await window.page.goto(`${view}/conversations/${ADA}`);
  await reply(window).waitFor();
  return window;
}

test('when a day begins while the page is open, “Today” becomes a date and times get their day', async () => {
  const now = new Date();
  // A zone in which it is about noon, so that no day begins while the page opens. `Etc/GMT-3` is UTC+3.
  const ahead = 12 - now.getUTCHours();
  const window = await openAt(`Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`, now);
  const log = window.page.getByRole('log');
  await log.getByText('Today').waitFor();
  await window.page.clock.fastForward('24:00:00');
  await log.getByText('Today').waitFor({ state: 'detached' });

  // Rows render again only for a change of their message, or of the day.
  await window.page.goto(`${view}/messages`);
  const time = window.page.locator('[data-message] time').first();
  const before = await time.innerText();
  await window.page.clock.setSystemTime(new Date(Date.now() + 400 * 86_400_000));
  await window.page.clock.runFor(20_000);
  await expect.poll(() => time.innerText(), EVENTUALLY).not.toBe(before);
  await window.close();
});

test.each([
  ['Europe/Berlin', '2027-03-20T12:00:00Z', '2027-03-28T02:30', '2027-03-28T03:30'],
  ['America/New_York', '2027-03-01T12:00:00Z', '2027-03-14T02:00', '2027-03-14T01:59'],
])(
  'in %s, a time that clocks skip is refused in words, and the zone is named',
  async (timeZone, now, skipped, next) => {
    const window = await openAt(timeZone, new Date(now));
    await reply(window).fill('Later');
    await window.page.getByRole('button', { name: 'Send later' }).click();
    const time = window.page.getByLabel('Send at');
    await window.page.getByText(`In your time zone, ${timeZone}.`).waitFor();
    await time.fill(skipped);
    const alert = window.page.getByRole('alert');
    await alert.filter({ hasText: 'This time does not exist' }).waitFor();
    await reply(window).press('Enter');
    expect(await reply(window).inputValue()).toBe('Later');
    await time.fill(next);
    await alert.waitFor({ state: 'detached' });
    await window.close();
  },
);

test.each([
  ['Europe/Berlin', '2027-10-20T12:00:00Z', '2027-10-31T02:30', '2027-10-31T01:30:00.000Z'],
  ['America/New_York', '2027-10-30T12:00:00Z', '2027-11-07T01:15', '2027-11-07T06:15:00.000Z'],
])(
  'in %s, the second of two equal times can be chosen, and a reload keeps the choice',
  async (timeZone, now, twice, second) => {
    const window = await openAt(timeZone, new Date(now));
    await reply(window).fill('Later');
    await window.page.getByRole('button', { name: 'Send later' }).click();
    await window.page.getByLabel('Send at').fill(twice);
    const which = window.page.getByLabel('This time occurs twice');
    await which.selectOption({ index: 1 });
    const chosen = await which.inputValue();
    await window.page.reload();
    await expect.poll(() => which.inputValue(), EVENTUALLY).toBe(chosen);
    // The server has another date than the page.
    await window.page.route(`**${api}/messages`, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    const sending = window.page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/messages'),
    );
    await reply(window).press('Enter');
    expect((await sending).postDataJSON()).toMatchObject({ scheduled_at: second });
    await window.close();
  },
);

test('a page that stays open shows the times of the zone to which the computer changes', async () => {
  const window = await openPage(browser);
  await signIn(window.page, stack);
  await window.page.goto(`${view}/conversations/${ADA}`);
  const time = window.page.getByRole('log').locator('time').first();
  await time.waitFor();
  const devtools = await window.page.context().newCDPSession(window.page);
  for (const timeZone of ['Asia/Tokyo', 'America/St_Johns']) {
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: timeZone });
    // The page checks the zone every few seconds, and when it is shown again.
    await window.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await window.page.getByText(timeZone).filter({ visible: true }).first().waitFor();
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const options = { hour: 'numeric', minute: '2-digit', timeZone } as const;
    const words = (text: string | null) => text?.split(/\s/u);
    await expect
      .poll(async () => words(await time.textContent()), EVENTUALLY)
      .toEqual(words(at.toLocaleTimeString('en-US', options)));
  }
  await window.close();
});

test('selected rows are copied as a table, and a part of one cell as its text', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${view}/messages`);
  await page.locator('[data-message]').nth(1).waitFor();
  const copied = async (type: string): Promise<string> =>
    page.evaluate<string>(
      `navigator.clipboard.read().then(([item]) => item.getType('${type}')).then((blob) => blob.text())`,
    );
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  const line =
    /^Received\t\+1 415 555 0172\t\+1 500 555 0006\t'=1\+1\t.+20\d\d.+\nReceived\t\+1 415 555 0171\t\+1 500 555 0006\t"Is it\nready\?"\t[^\t]+$/;
  await expect.poll(() => copied('text/plain'), EVENTUALLY).toMatch(line);
  expect(await copied('text/html')).toContain('<td>Is it<br>ready?</td>');

  await page.evaluate(`(() => {
    const cell = document.querySelector('[data-message] [role=cell]:nth-child(4) span');
    document.getSelection().setBaseAndExtent(cell.firstChild, 1, cell.firstChild, 3);
  })()`);
  await page.keyboard.press('Control+c');
  await expect.poll(() => copied('text/plain'), EVENTUALLY).toBe('1+');
});

/** Closes the tab as a person does. Returns whether the browser asks first, and the tab stays open. */
async function tryToClose(window: OpenPage): Promise<boolean> {
  const asked = window.page.waitForEvent('dialog').then(
    async (dialog) => {
      await dialog.dismiss();
      return dialog.type() === 'beforeunload';
    },
    () => false,
  );
  const closed = window.page.waitForEvent('close').then(
    () => false,
    () => true,
  );
  await window.page.close({ runBeforeUnload: true });
  return Promise.race([asked, closed]);
}

test('closing the tab right after “Send again” does not ask, and after a change of the message it does until the change is undone', async () => {
  const { id } = await stack.request<{ id: string }>('POST', `${api}/messages`, {
    to: '+15005550015',
    body: 'Buy now',
  });
  const sendAgain = async (window: OpenPage) => {
    await signIn(window.page, stack);
    await window.page.goto(`${view}/messages/${id}`);
    // A page without a gesture is closed without a question.
    await window.page.getByRole('button', { name: 'Send again' }).click();
    const text = window.page.getByRole('dialog').getByLabel('Message', { exact: true });
    await expect.poll(() => text.inputValue(), EVENTUALLY).toBe('Buy now');
    return text;
  };
  const first = await openPage(browser);
  await sendAgain(first);
  expect(await tryToClose(first)).toBe(false);
  const second = await openPage(browser);
  const text = await sendAgain(second);
  await text.fill('Buy tomorrow');
  expect(await tryToClose(second)).toBe(true);
  await text.fill('Buy now');
  expect(await tryToClose(second)).toBe(false);
});

test('closing the tab with an unsent reply, note or change asks first, and without one it does not', async () => {
  const window = await openPage(browser);
  await signIn(window.page, stack);
  await window.page.goto(`${view}/conversations/${ADA}`);
  await reply(window).fill('Almost done');
  expect(await tryToClose(window)).toBe(true);
  await reply(window).fill('');
  await window.page.getByRole('button', { name: 'Note', exact: true }).click();
  const note = window.page.getByRole('textbox', { name: 'Note' });
  await note.fill('To remember');
  // In another view, too.
  await window.page.getByRole('link', { name: 'Overview' }).first().click();
  await window.page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await tryToClose(window)).toBe(true);
  await window.page.goBack();
  await window.page.getByRole('button', { name: 'Note', exact: true }).click();
  await note.fill('Remembered');
  await note.press('Enter');
  await window.page.getByRole('button', { name: 'Edit this note' }).click();
  await window.page.getByRole('textbox', { name: 'Note text' }).fill('Changed');
  expect(await tryToClose(window)).toBe(true);
  await window.page.getByRole('button', { name: 'Cancel' }).click();
  expect(await tryToClose(window)).toBe(false);
});

test('no page logs an error during the tests of daily use', () => {
  expect(opened.errors).toEqual([]);
});
