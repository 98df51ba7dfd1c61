import type { Conversation } from '@switchboard/contracts';
import { useState } from 'react';

export interface StableRows {
  rows: readonly Conversation[];
  /** The number of conversations that would be above the first shown one. */
  waiting: number;
  /** Applies the latest order now. */
  showLatest(): void;
}

/**
 * Returns the rows to render. While the user interacts with them, each keeps its position, because a
 * row that moves between pointer down and up receives no click. The content stays current.
 */
export function useStableRows(latest: readonly Conversation[], isInteracting: boolean): StableRows {
  const [held, setHeld] = useState<readonly Conversation[] | null>(null);
  // An empty list is not held, so that the first rows appear.
  if (isInteracting && held === null && latest.length > 0) setHeld(latest);
  if (!isInteracting && held !== null) setHeld(null);
  const showLatest = (): void => setHeld(latest);

  if (!isInteracting || held === null) return { rows: latest, waiting: 0, showLatest };
  const byNumber = new Map(latest.map((each) => [each.number, each]));
  const newest = held[0]?.last_message.id ?? '';
  const oldest = held.at(-1)?.last_message.id ?? '';
  const shown = new Set(held.map(({ number }) => number));
  return {
    rows: [
      ...held.map((each) => byNumber.get(each.number) ?? each),
      // Older conversations that have been loaded since.
      ...latest.filter(
        ({ number, last_message }) => last_message.id < oldest && !shown.has(number),
      ),
    ],
    waiting: latest.filter(({ last_message }) => last_message.id > newest).length,
    showLatest,
  };
}
