import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import type { Locator } from 'playwright-core';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createPicture } from './create-picture.ts';
import { findViolations } from './find-violations.ts';
import { api, opened, page, stack, useDashboard, view } from './use-dashboard.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchboard-attachments-test-'));
useDashboard({
  settings: { MEDIA_FOLDER: folder },
  fill: () => stack.request('POST', `${api}/numbers`, { number: '+15005550006' }),
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RED = createPicture(640, 480, [190, 40, 40]);
const BLUE = createPicture(300, 500, [40, 60, 190]);
const png = (name: string, buffer = RED) => ({ name, mimeType: 'image/png', buffer });

let numbers = 0;
/** Each test has its own conversation. */
let number: string;
beforeEach(async () => {
  numbers += 1;
  number = `+141555502${String(numbers).padStart(2, '0')}`;
  await page.goto(`${view}/conversations/${number}`);
  await reply().waitFor();
});

const reply = () => page.getByRole('textbox', { name: 'Reply' });
const sendReply = () => page.getByRole('button', { name: 'Send reply' });
const files = (within: Locator = page.locator('body')) => within.getByLabel('Files to attach');
const attached = (within: Locator = page.locator('body')) =>
  within.getByRole('list', { name: 'Attachments' }).getByRole('button', { name: /^Remove/ });
const viewer = () => page.getByRole('dialog');
const tiles = () =>
  page.getByRole('log', { name: 'Messages' }).getByRole('button', { name: /^Open/ });

async function readSent() {
  const path = `${api}/messages?to=${encodeURIComponent(number)}`;
  return (await stack.request<MessageList>('GET', path)).messages;
}

/** Waits until a picture has been loaded, and returns its width. */
async function widthOf(picture: Locator): Promise<number> {
  const read = () =>
    picture.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);
  await expect.poll(read, EVENTUALLY).toBeGreaterThan(0);
  return read();
}

/** Drops or pastes files on the page. */
async function give(how: 'drop' | 'paste', names: string[], text = ''): Promise<void> {
  const given = JSON.stringify({ how, names, text, content: RED.toString('base64') });
  await page.evaluate(`(() => {
    const { how, names, text, content } = ${given};
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    for (const name of names) data.items.add(new File([bytes], name, { type: 'image/png' }));
    if (text !== '') data.setData('text/plain', text);
    const options = { bubbles: true, cancelable: true };
    document.querySelector('textarea[aria-label=Reply]').dispatchEvent(
      how === 'drop'
        ? new DragEvent('drop', { ...options, dataTransfer: data })
        : new ClipboardEvent('paste', { ...options, clipboardData: data }),
    );
  })()`);
}

test('pictures are chosen, sent without a text, shown in the thread and viewed with the keyboard alone', async () => {
  await files().setInputFiles([png('red.png'), png('blue.png', BLUE)]);
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(2);
  await reply().press('Enter');
  await expect.poll(() => tiles().count(), EVENTUALLY).toBe(2);
  expect(await attached().count()).toBe(0);
  const [sent] = await readSent();
  expect(sent?.media.map(({ url, content_type }) => [url.split(':')[0], content_type])).toEqual([
    ['media', 'image/png'],
    ['media', 'image/png'],
  ]);
  expect(await widthOf(tiles().first().locator('img'))).toBe(640);

  await tiles().first().focus();
  await page.keyboard.press('Enter');
  await viewer().getByRole('heading', { name: 'Picture 1 of 2' }).waitFor();
  expect(await widthOf(viewer().getByRole('img', { name: 'Picture 1 of 2, sent' }))).toBe(640);
  await page.keyboard.press('ArrowRight');
  expect(await widthOf(viewer().getByRole('img', { name: 'Picture 2 of 2, sent' }))).toBe(300);
  await page.keyboard.press('ArrowRight');
  await viewer().getByText('2 of 2', { exact: true }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await viewer().getByRole('heading', { name: 'Picture 1 of 2' }).waitFor();
  await page.keyboard.press('Escape');
  await viewer().waitFor({ state: 'detached' });
  // The thread is still open, and the focus is where it was.
  await tiles().first().and(page.locator(':focus')).waitFor();
});

test('dropped and pasted pictures are attached, and text that was copied with a picture is pasted as text', async () => {
  await give('drop', ['one.png', 'two.png']);
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(2);
  await give('paste', ['image.png']);
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(3);
  await give('paste', ['table.png'], 'A table');
  await attached().first().click();
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(2);
  await reply().fill('Two pictures');
  await sendReply().click();
  await expect.poll(() => tiles().count(), EVENTUALLY).toBe(2);
  const [sent] = await readSent();
  expect([sent?.body, sent?.media.length]).toEqual(['Two pictures', 2]);
});

test('files that cannot be sent are refused with their names, and the others are attached', async () => {
  const large = Buffer.concat([RED, Buffer.alloc(5 * 1_048_576)]);
  await files().setInputFiles([
    png('holiday.png', large),
    { name: 'notes.html', mimeType: 'text/html', buffer: Buffer.from('<p>Notes</p>') },
    png('renamed.png', Buffer.from('no picture at all')),
    png('good.png'),
  ]);
  const problems = page.getByRole('alert');
  await problems.getByText('renamed.png: The file must be a picture').waitFor();
  await problems.getByText('holiday.png: The file is larger than 5 MB.').waitFor();
  await problems.getByText('notes.html: Files of this type can’t be sent.').waitFor();
  await page.getByRole('button', { name: 'Remove \u2068good.png\u2069' }).waitFor();
  expect(await attached().count()).toBe(1);
});

test('an upload shows its progress, delays the reply, and can be canceled', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/media?name=*', async (route) => {
    await held;
    await route.continue();
  });
  await reply().fill('With a picture');
  await files().setInputFiles([png('slow.png'), png('canceled.png')]);
  await page.getByRole('progressbar', { name: 'Uploading \u2068slow.png\u2069' }).waitFor();
  await expect.poll(() => sendReply().isDisabled(), EVENTUALLY).toBe(true);
  await page.getByRole('button', { name: 'Cancel the upload of \u2068canceled.png\u2069' }).click();
  await page.getByText('canceled.png').waitFor({ state: 'detached' });
  release();
  await page.getByRole('button', { name: 'Remove \u2068slow.png\u2069' }).waitFor();
  await expect.poll(() => sendReply().isEnabled(), EVENTUALLY).toBe(true);
  expect(await attached().count()).toBe(1);
  await page.unroute('**/media?name=*');
});

test('attachments keep the order in which they were chosen, and the thread above them stays scrolled to its end', async () => {
  for (let sent = 0; sent < 12; sent += 1) {
    await stack.request('POST', `${api}/messages`, { to: number, body: `Message ${sent}` });
  }
  await page.getByRole('log').getByText('Message 11').waitFor();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/media?name=first.png', async (route) => {
    await held;
    await route.continue();
  });
  await files().setInputFiles([png('first.png'), png('second.png', BLUE)]);
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(1);
  release();
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(2);
  const names = await attached().evaluateAll((buttons) =>
    buttons.map((button) => (button as unknown as { ariaLabel: string }).ariaLabel),
  );
  expect(names).toEqual(['Remove \u2068first.png\u2069', 'Remove \u2068second.png\u2069']);
  const belowEnd = `(({ scrollHeight, scrollTop, clientHeight }) =>
    Math.round(scrollHeight - scrollTop - clientHeight))(
      document.querySelector('[role=log]').closest('.scroller'))`;
  await expect.poll(() => page.evaluate(belowEnd), EVENTUALLY).toBe(0);
  await page.unroute('**/media?name=first.png');
});

test('attachments of a reply and of a new message are kept across a reload, with their thumbnails', async () => {
  await files().setInputFiles(png('kept.png'));
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(1);
  await page.reload();
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(1);
  expect(await widthOf(page.getByRole('list', { name: 'Attachments' }).locator('img'))).toBe(640);

  await page.goto(`${view}/messages`);
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New message' });
  await files(dialog).setInputFiles(png('blue.png', BLUE));
  await expect.poll(() => attached(dialog).count(), EVENTUALLY).toBe(1);
  await page.reload();
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  await page.keyboard.press('c');
  await dialog.getByLabel('To', { exact: true }).fill(number);
  await expect.poll(() => attached(dialog).count(), EVENTUALLY).toBe(1);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const [sent] = await readSent();
  expect(sent?.media).toEqual([
    { url: expect.stringMatching(/^media:/), content_type: 'image/png' },
  ]);
  // The page of the message shows the picture too.
  const panel = page.getByRole('complementary', { name: 'Message' });
  expect(await widthOf(panel.getByRole('button', { name: 'Open Picture' }).locator('img'))).toBe(
    300,
  );
});

test('a failed message with a picture is sent again with the picture', async () => {
  // The carrier refuses this number.
  number = '+15005550001';
  await page.goto(`${view}/conversations/${number}`);
  await files().setInputFiles(png('again.png'));
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(1);
  await reply().fill('First try');
  await sendReply().click();
  await page.locator('[data-status=failed]').first().click();
  await page.getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog', { name: 'New message' });
  await expect.poll(() => attached(dialog).count(), EVENTUALLY).toBe(1);
  await dialog.getByLabel('To', { exact: true }).fill('+14155550299');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const [first] = await readSent();
  number = '+14155550299';
  const [second] = await readSent();
  expect(second?.media).toEqual(first?.media);
});

test('a received file without a usable URL is shown as unreadable, beside the text and without a link', async () => {
  await stack.receive(number, 'Two pictures', [stack.pictureUrl, 'ftp://files.example/two.jpg']);
  const thread = page.getByRole('log', { name: 'Messages' });
  await thread.getByText('Two pictures').waitFor();
  await thread.getByText('Picture: the provider gave no readable file').waitFor();
  await expect.poll(() => tiles().count(), EVENTUALLY).toBe(1);
  expect(await thread.getByRole('link', { name: /two\.jpg/ }).count()).toBe(0);
});

test('a received picture has a thumbnail and opens in the viewer, among the sent pictures', async () => {
  await files().setInputFiles(png('sent.png'));
  await expect.poll(() => attached().count(), EVENTUALLY).toBe(1);
  await sendReply().click();
  await expect.poll(() => tiles().count(), EVENTUALLY).toBe(1);
  await stack.receive(number, 'Look at this', [stack.pictureUrl]);
  await expect.poll(() => tiles().count(), EVENTUALLY).toBe(2);
  expect(await widthOf(tiles().last().locator('img'))).toBe(1);
  await tiles().last().click();
  await viewer().getByText('2 of 2', { exact: true }).waitFor();
  expect(await widthOf(viewer().getByRole('img', { name: 'Picture, received' }))).toBe(1);
  await viewer().getByRole('button', { name: 'Previous' }).click();
  expect(await widthOf(viewer().getByRole('img', { name: 'Picture, sent' }))).toBe(640);
  await page.keyboard.press('Escape');
});

test.each([
  ['light', { width: 1280, height: 800 }],
  ['dark', { width: 1280, height: 800 }],
  ['light', { width: 360, height: 740 }],
  ['dark', { width: 360, height: 740 }],
] as const)(
  'attachments, thumbnails and the viewer are accessible in the %s theme, on a screen of %j',
  async (colorScheme, viewport) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    const name = 'a-picture-with-a-name-that-is-longer-than-its-place-on-the-screen.png';
    await files().setInputFiles([png(name), png('blue.png', BLUE)]);
    await expect.poll(() => attached().count(), EVENTUALLY).toBe(2);
    await sendReply().click();
    await expect.poll(() => tiles().count(), EVENTUALLY).toBe(2);
    await stack.receive(number, 'Here is my card', [
      stack.pictureUrl,
      'https://example.com/card.vcf',
      'https://example.com/clip.mp4',
    ]);
    await expect.poll(() => tiles().count(), EVENTUALLY).toBe(5);
    await files().setInputFiles([png(name), png('renamed.png', Buffer.from('no picture'))]);
    await page.getByRole('alert').getByText('renamed.png').waitFor();
    await expect.poll(() => attached().count(), EVENTUALLY).toBe(1);
    await widthOf(tiles().first().locator('img'));
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);

    await tiles().nth(1).click();
    await widthOf(viewer().getByRole('img'));
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1360, height: 820 });
  },
);

test('the page logs no error or violation of its security policy while files are attached', () => {
  expect(opened.errors).toEqual([]);
});
