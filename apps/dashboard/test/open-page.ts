import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Stack } from './start-stack.ts';

export interface OpenPage {
  page: Page;
  /** Errors of the page and violations of its content security policy. */
  errors: string[];
  close(): Promise<void>;
}

/** Opens a separate browser window, signed out. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 820 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (entry) => {
    const text = entry.text();
    // Error responses that the view shows, such as 503 on a busy machine, connections that a test interrupted, and a
    // page with a draft that a test reloads before any gesture.
    const isExpected =
      /status of (4\d\d|503)|ERR_INTERNET_DISCONNECTED|WebSocket connection|'beforeunload' confirmation/.test(
        text,
      );
    if (entry.type() === 'error' && !isExpected) errors.push(`${text} (${entry.location().url})`);
  });
  return { page, errors, close: () => context.close() };
}

export async function signIn(page: Page, { url, owner }: Stack): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  await page.locator('[data-connection=live]:visible').waitFor();
}
