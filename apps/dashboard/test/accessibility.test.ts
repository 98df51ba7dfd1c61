import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type History, fillHistory } from './fill-history.ts';
import { findViolations } from './find-violations.ts';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { browser, stack, useStack, view } from './use-dashboard.ts';
import { VIEWS } from './views.ts';

let history: History;

useStack({
  async fill() {
    history = await fillHistory(stack);
  },
});

describe.each([
  ['light', 'wide', { width: 1440, height: 900 }],
  ['dark', 'medium', { width: 768, height: 1024 }],
  ['dark', 'narrow', { width: 360, height: 740 }],
] as const)('%s theme, %s screen', (colorScheme, _screen, viewport) => {
  let opened: OpenPage;
  let page: Page;

  beforeAll(async () => {
    opened = await openPage(browser, { colorScheme, viewport, reducedMotion: 'reduce' });
    ({ page } = opened);
  });
  afterAll(() => opened.close());

  test.each(VIEWS)(
    'the view $name is accessible, and the page itself does not scroll',
    async ({ signedOut, open }) => {
      if (signedOut !== true && (await page.evaluate('sessionStorage.length')) === 0) {
        await signIn(page, stack);
      }
      await open(page, view, history);
      expect(await findViolations(page)).toEqual([]);
      // A scrollbar of the page itself would make it narrower than the window.
      expect(
        await page.evaluate(`(({ scrollWidth, scrollHeight }) => ({ scrollWidth, scrollHeight }))(
        document.documentElement
      )`),
      ).toEqual({ scrollWidth: viewport.width, scrollHeight: viewport.height });
    },
  );

  test('the content security policy blocked nothing in any view', () => {
    expect(opened.errors).toEqual([]);
  });
});
