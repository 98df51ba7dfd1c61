import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type History, fillHistory } from './fill-history.ts';
import { findViolations } from './find-violations.ts';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { browser, stack, useStack, view } from './use-dashboard.ts';
import { VIEWS } from './views.ts';

export interface Screen extends BrowserContextOptions {
  name: string;
  viewport: { width: number; height: number };
}

/** Registers tests that open every view on these screens. */
export function checkViews(screens: readonly Screen[]): void {
  let history: History;
  useStack({
    async fill() {
      history = await fillHistory(stack);
    },
  });

  describe.each(screens)('$name', ({ name: _name, ...window }) => {
    let opened: OpenPage;
    let page: Page;

    beforeAll(async () => {
      opened = await openPage(browser, window);
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
        const size = await page.evaluate(
          '(({ scrollWidth: width, scrollHeight: height }) => ({ width, height }))(document.documentElement)',
        );
        expect(size).toEqual(window.viewport);
      },
    );

    test('the content security policy blocked nothing in any view', () => {
      expect(opened.errors).toEqual([]);
    });
  });
}
