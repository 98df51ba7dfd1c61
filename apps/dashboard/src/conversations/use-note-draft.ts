import { useSyncExternalStore } from 'react';
import type { MentionRange } from '@switchboard/contracts';
import { useDependencies } from '../api/api-context.tsx';
import { draftNames } from './draft-names.ts';
import { type NoteText, changeBody } from './note-text.ts';
import { useTextDraft } from './use-text-draft.ts';

const NONE: readonly MentionRange[] = [];

/** The text of a note that is being written. The members whom its author chose are kept with it. */
export function useNoteDraft(workspaceId: string, number: string) {
  const { drafts } = useDependencies();
  const name = draftNames.mentions(workspaceId, number);
  const { body, write: writeBody } = useTextDraft(draftNames.note(workspaceId, number));
  const readRanges = () => (drafts.read(name) as readonly MentionRange[] | null) ?? NONE;
  const readBody = () => (drafts.read(draftNames.note(workspaceId, number)) as string | null) ?? '';
  const ranges = useSyncExternalStore(drafts.subscribe, readRanges);

  function write(text: NoteText): void {
    writeBody(text.body);
    drafts.write(name, text.ranges.length === 0 ? null : text.ranges);
  }

  /** Restores a text that failed to be stored, before the text that was typed since. */
  function restore(text: NoteText): void {
    const since = { body: readBody(), ranges: readRanges() };
    if (since.body === '') return write(text);
    const both = changeBody(since, `${text.body}\n${since.body}`);
    write({ ...both, ranges: [...text.ranges, ...both.ranges] });
  }

  return { text: { body, ranges }, write, restore };
}
