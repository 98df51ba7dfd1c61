import type { Conversation } from '@switchboard/contracts';
import { useState } from 'react';

export interface SettledRows {
  rows: readonly Conversation[];
  /** How many conversations would stand above all that are shown. */
  waiting: number;
  /** Takes the latest order now. */
  settle(): void;
}

/**
 * The rows as they are drawn. While the reader is at work on them each keeps its place, for a row
 * that moves between pressing and releasing the pointer takes no click. What it says stays current.
 */
export function useSettledRows(
  latest: readonly Conversation[],
  isReaderAtWork: boolean,
): SettledRows {
  const [held, setHeld] = useState<readonly Conversation[] | null>(null);
  // Once there is something to hold.
  if (isReaderAtWork && held === null && latest.length > 0) setHeld(latest);
  if (!isReaderAtWork && held !== null) setHeld(null);
  const settle = (): void => setHeld(latest);

  if (!isReaderAtWork || held === null) return { rows: latest, waiting: 0, settle };
  const byNumber = new Map(latest.map((each) => [each.number, each]));
  const newest = held[0]?.last_message.id ?? '';
  const oldest = held.at(-1)?.last_message.id ?? '';
  const shown = new Set(held.map(({ number }) => number));
  return {
    rows: [
      ...held.map((each) => byNumber.get(each.number) ?? each),
      // Older ones that were loaded meanwhile.
      ...latest.filter(
        ({ number, last_message }) => last_message.id < oldest && !shown.has(number),
      ),
    ],
    waiting: latest.filter(({ last_message }) => last_message.id > newest).length,
    settle,
  };
}
