import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Stack } from './start-stack.ts';

export interface OpenPage {
  page: Page;
  /** What the page complained of: errors, and anything the content security policy stopped. */
  complaints: string[];
  close(): Promise<void>;
}

/** A browser window of its own, signed out. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 820 },
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (entry) => {
    const text = entry.text();
    // A refusal that the view itself shows, and the line that a test has cut.
    const isExpected = /status of 4\d\d|ERR_INTERNET_DISCONNECTED|WebSocket connection/.test(text);
    if (entry.type() === 'error' && !isExpected) complaints.push(text);
  });
  return { page, complaints, close: () => context.close() };
}

export async function signIn(page: Page, { url, owner }: Stack): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  await page.locator('[data-line=live]:visible').waitFor();
}
