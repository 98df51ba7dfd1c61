import type { RefObject } from 'react';
import { readOpenId } from './read-open-id.ts';
import { useShortcuts } from './use-shortcuts.ts';

/** Moves through the rows of a virtual list with the shortcuts `next` and `previous`. */
export function useRowKeys(options: {
  scroller: RefObject<HTMLElement | null>;
  /** The attribute that has the id of a row. */
  attribute: `data-${string}`;
  ids: readonly string[];
  view: 'messages' | 'conversations';
  scrollToIndex(index: number): void;
  /** Opens a row. Called while another row is open. */
  open(id: string): void;
}): void {
  const { scroller, attribute, ids } = options;

  function focusRow(id: string): boolean {
    const link = scroller.current?.querySelector<HTMLElement>(`[${attribute}="${id}"] a`);
    link?.focus({ preventScroll: true });
    return link != null;
  }

  function move(step: 1 | -1): void {
    const openId = readOpenId(options.view);
    const focused = document.activeElement?.closest(`[${attribute}]`)?.getAttribute(attribute);
    const current = ids.indexOf(focused ?? openId ?? '');
    const index = current === -1 ? 0 : Math.min(Math.max(current + step, 0), ids.length - 1);
    const id = ids[index];
    if (id === undefined) return;
    options.scrollToIndex(index);
    if (openId !== undefined) options.open(id);
    // A row that is not rendered yet appears in the next frame.
    if (!focusRow(id)) requestAnimationFrame(() => focusRow(id));
  }
  useShortcuts({ next: () => move(1), previous: () => move(-1) });
}
