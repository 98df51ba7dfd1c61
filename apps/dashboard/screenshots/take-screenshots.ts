import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type History, fillHistory } from '../test/fill-history.ts';
import { type OpenPage, openPage, signIn } from '../test/open-page.ts';
import { browser, stack, useStack, view } from '../test/use-dashboard.ts';
import { VIEWS } from '../test/views.ts';

const FOLDER = path.join(import.meta.dirname, '../../../docs/screenshots');
const MAX_BYTES = 60_000;
/** The WebP qualities to try. Small text is legible even at the last one. */
const QUALITIES = [0.7, 0.55, 0.4];

let history: History;

useStack({
  async fill() {
    await mkdir(FOLDER, { recursive: true });
    history = await fillHistory(stack);
  },
});

describe.each([
  ['light', 'wide', { width: 1280, height: 800 }],
  ['dark', 'wide', { width: 1280, height: 800 }],
  ['light', 'narrow', { width: 360, height: 740 }],
  ['dark', 'narrow', { width: 360, height: 740 }],
] as const)('%s %s', (colorScheme, screen, viewport) => {
  let opened: OpenPage;

  beforeAll(async () => {
    opened = await openPage(browser, { colorScheme, viewport, reducedMotion: 'reduce' });
  });
  afterAll(() => opened.close());

  test.each(VIEWS.filter(({ withoutScreenshot }) => withoutScreenshot !== true))(
    '$name',
    async ({ name, signedOut, open }) => {
      const { page } = opened;
      if (signedOut !== true && (await page.evaluate('sessionStorage.length')) === 0) {
        await signIn(page, stack);
      }
      await open(page, view, history);
      await page.mouse.move(0, 0);
      const png = await page.screenshot();
      let picture = await shrink(page, png, 0.85);
      for (const quality of QUALITIES) {
        if (picture.length >= MAX_BYTES) picture = await shrink(page, png, quality);
      }
      expect(picture.length).toBeLessThan(MAX_BYTES);
      await writeFile(path.join(FOLDER, `${name}-${colorScheme}-${screen}.webp`), picture);
    },
  );
});

/** Encodes a PNG as WebP in the browser. WebP needs a fifth of the size. */
async function shrink(page: Page, png: Buffer, quality: number): Promise<Buffer> {
  const encoder = await page.context().newPage();
  try {
    const webp = await encoder.evaluate<string>(`(async () => {
      const quality = ${quality};
      const response = await fetch('data:image/png;base64,${png.toString('base64')}');
      const picture = await createImageBitmap(await response.blob());
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      canvas.getContext('2d').drawImage(picture, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    })()`);
    return Buffer.from(webp, 'base64');
  } finally {
    await encoder.close();
  }
}
