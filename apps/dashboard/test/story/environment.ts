import type { SendMessageAnswer } from '@switchboard/contracts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from '../launch-chromium.ts';
import { type OpenPage, openPage } from '../open-page.ts';
import { type Stack, startStack } from '../start-stack.ts';

export let stack: Stack;
export let browser: Browser;
export let opened: OpenPage;
export let page: Page;
/** The URLs of the workspace, in the API and in the dashboard. */
export let api: string;
export let view: string;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useStory(): void {
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    opened = await openPage(browser);
    ({ page } = opened);
    api = `/api/ui/workspaces/${stack.owner.workspaceId}`;
    view = `${stack.url}/w/${stack.owner.workspaceId}`;
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });
}

export const rows = () => page.locator('[data-message]');
export const panel = () => page.getByRole('complementary', { name: 'Message' });
export const send = (to: string, body: string) =>
  stack.request<SendMessageAnswer>('POST', `${api}/messages`, { to, body });

/** Starts recording the statuses that the page shows. Returns a function that reads them. */
export async function watchStatuses(): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    window.seenStatuses = [];
    const note = (element) => {
      const status = element.getAttribute('data-status');
      if (status !== null && window.seenStatuses.at(-1) !== status) window.seenStatuses.push(status);
    };
    new MutationObserver((records) => {
      for (const { type, target } of records) {
        if (type === 'attributes') note(target);
        else target.querySelectorAll('aside [data-status]').forEach(note);
      }
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-status'] });
  `);
  return () => page.evaluate<string[]>('window.seenStatuses');
}

export async function expectTotal(total: number): Promise<void> {
  await page.locator(`[data-total="${total}"]`).waitFor();
}
