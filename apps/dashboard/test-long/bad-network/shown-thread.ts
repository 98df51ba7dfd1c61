import type { Page } from 'playwright-core';

/** What the page shows at one moment. */
export interface Shown {
  /** The state line: `live`, `connecting` or `disconnected`. */
  state: string | null;
  /** The texts of the open thread, oldest first. */
  texts: string[];
  /** The text in the field for a reply. */
  written: string;
  /** Whether Enter would send it. */
  canSend: boolean;
}

const READ = `(() => {
  const line = [...document.querySelectorAll('[data-connection]')].find((each) => each.checkVisibility());
  const field = document.querySelector('textarea[aria-label=Reply]');
  return {
    state: line?.dataset.connection ?? null,
    texts: [...document.querySelectorAll('[role=log] [data-item] p[dir=auto]')].map((each) => each.textContent),
    written: field?.value ?? '',
    canSend: field?.form?.querySelector('[type=submit]')?.disabled === false,
  };
})()`;

export const readShown = (page: Page): Promise<Shown> => page.evaluate<Shown>(READ);

export const inbound = (n: number): string => `Inbound ${n}`;
export const reply = (n: number): string => `Reply ${n}`;

/** Returns the numbers of the inbound messages or of the replies that a thread shows, in its order. */
export const numbersOf = (texts: readonly string[], kind: 'Inbound' | 'Reply'): number[] =>
  texts
    .filter((text) => text.startsWith(`${kind} `))
    .map((text) => Number(text.slice(kind.length)));
