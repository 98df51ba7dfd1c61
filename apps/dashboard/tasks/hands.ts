import type { Locator, Page } from 'playwright-core';

/** What a user did with mouse and keyboard. */
export interface Effort {
  clicks: number;
  /** Keys other than text: shortcuts, Enter, arrows. */
  keys: number;
  /** Characters of typed text. */
  characters: number;
}

/** Acts in a page like a user, and counts clicks, keys and characters. */
export interface Hands {
  effort: Readonly<Effort>;
  click(target: Locator): Promise<void>;
  /** Clicks at the left end of a field: the first part of a date. */
  clickAtStart(target: Locator): Promise<void>;
  /** Opens a list of choices and selects one: two clicks. */
  choose(list: Locator, label: string): Promise<void>;
  /** Clicks a button that opens the system's file dialog, and selects a file: three clicks. */
  chooseFile(
    button: Locator,
    file: { name: string; mimeType: string; buffer: Buffer },
  ): Promise<void>;
  /** Clicks a link in a mail. */
  follow(url: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Types at the cursor. */
  type(text: string): Promise<void>;
}

export function createHands(page: Page): Hands {
  const effort: Effort = { clicks: 0, keys: 0, characters: 0 };
  return {
    effort,
    async click(target) {
      await target.click();
      effort.clicks += 1;
    },
    async clickAtStart(target) {
      const box = await target.boundingBox();
      await target.click({ position: { x: 18, y: (box?.height ?? 0) / 2 } });
      effort.clicks += 1;
    },
    async choose(list, label) {
      await list.selectOption({ label });
      effort.clicks += 2;
    },
    async chooseFile(button, file) {
      const opened = page.waitForEvent('filechooser');
      await button.click();
      await (await opened).setFiles(file);
      effort.clicks += 3;
    },
    async follow(url) {
      await page.goto(url);
      effort.clicks += 1;
    },
    async press(key) {
      await page.keyboard.press(key);
      effort.keys += 1;
    },
    async type(text) {
      // A user also waits until the cursor is in a field.
      await page.locator('input:focus, textarea:focus').waitFor();
      await page.keyboard.type(text);
      effort.characters += text.length;
    },
  };
}
