import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { closeWindows, openChromium } from './launch-chromium.ts';
import { type OpenPage, openPage, signIn } from './open-page.ts';
import { type Stack, startStack } from './start-stack.ts';

export let stack: Stack;
export let browser: Browser;
/** The path of the workspace in the API. */
export let api: string;
/** The URL of the workspace in the dashboard. */
export let view: string;
/** The window of the owner, with its page and its errors. */
export let opened: OpenPage;
export let page: Page;

export interface StackOptions {
  /** Settings of the API and the worker. */
  settings?: Record<string, string>;
  /** Whether the simulator stands for each vendor, and not only for Twilio. */
  isEachVendorSimulated?: boolean;
  /** Creates data when the stack has started. */
  fill?(): Promise<unknown>;
}

/** Registers hooks that start the service and a browser for the calling file. */
export function useStack({ settings, isEachVendorSimulated, fill }: StackOptions = {}): void {
  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startStack(settings, isEachVendorSimulated),
      openChromium(),
    ]);
    api = `/api/ui/workspaces/${stack.owner.workspaceId}`;
    view = `${stack.url}/w/${stack.owner.workspaceId}`;
    await fill?.();
  });

  afterAll(async () => {
    await closeWindows(browser);
    await stack?.stop();
  });
}

export interface DashboardOptions extends StackOptions {
  window?: BrowserContextOptions;
  isSignedOut?: boolean;
}

/** Like `useStack`, and opens a window in which the owner is signed in. */
export function useDashboard(options: DashboardOptions = {}): void {
  useStack(options);
  beforeAll(async () => {
    opened = await openPage(browser, options.window);
    ({ page } = opened);
    if (options.isSignedOut !== true) await signIn(page, stack);
  });
}

/**
 * Waits until every dialog is removed. A dialog that Escape has just closed has no role, but the focus may still be in one
 * of its fields, where a key is no shortcut.
 */
export const waitUntilNoDialog = (): Promise<void> =>
  page.locator('dialog').waitFor({ state: 'detached' });
