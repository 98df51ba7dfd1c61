import { useSyncExternalStore } from 'react';
import { useDependencies } from '../api/api-context.tsx';
import type { Person } from './find-mentions.ts';

const NONE: readonly Person[] = [];

/** The people whom the author of a note chose for it. They are kept with the draft of its text. */
export function useChosenDraft(name: string) {
  const { drafts } = useDependencies();
  const read = () => (drafts.read(name) as readonly Person[] | null) ?? NONE;
  return {
    list: useSyncExternalStore(drafts.subscribe, read),
    write: (list: readonly Person[]): void => drafts.write(name, list.length === 0 ? null : list),
  };
}
