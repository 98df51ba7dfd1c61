import type { Message } from '@switchboard/contracts';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as strings from '#strings/conversations';
import { useShortcutKey } from '../shell/shortcuts.ts';
import { useShortcuts } from '../shell/use-shortcuts.ts';
import { draftNames } from './draft-names.ts';
import { NoteBox } from './note-box.tsx';
import { ReplyBox } from './reply-box.tsx';
import { TypingColleagues } from './typing-colleagues.tsx';
import { useTextDraft } from './use-text-draft.ts';
import type { useNotes } from './use-notes.ts';
import type { useTyping } from './use-typing.ts';
import { useMay } from '../session/use-may.tsx';

/** Writes a reply or a note. */
export function ComposeArea(props: {
  workspaceId: string;
  number: string;
  /** Null if there is none, undefined while the messages are loaded. */
  last: Message | null | undefined;
  loadLast(): Promise<Message | null>;
  isOptedOut: boolean;
  typing: ReturnType<typeof useTyping>;
  /** Null while the number has no conversation, which a note needs. */
  addNote: ReturnType<typeof useNotes>['add'] | null;
  onSent(): void;
}) {
  const { workspaceId, number, addNote } = props;
  const [isNote, setNote] = useState(false);
  const noteDraft = useTextDraft(draftNames.note(workspaceId, number)).body;
  const replyDraft = useTextDraft(draftNames.reply(workspaceId, number)).body;
  const area = useRef<HTMLDivElement>(null);
  function write(what: 'reply' | 'note'): void {
    // Rendered immediately, so that the next key goes to the text field.
    flushSync(() => setNote(what === 'note'));
    area.current?.querySelector('textarea')?.focus();
  }
  const maySend = useMay('send');
  useShortcuts({
    ...(maySend && { reply: () => write('reply') }),
    note() {
      if (maySend && addNote !== null) write('note');
    },
  });
  const keys = { reply: useShortcutKey('reply'), note: useShortcutKey('note') };
  const tab = (
    name: string,
    key: string | undefined,
    isChosen: boolean,
    draft: string,
    choose: () => void,
  ) => (
    <button
      type="button"
      title={!isChosen && draft !== '' ? strings.hasDraft : undefined}
      aria-pressed={isChosen}
      aria-keyshortcuts={key}
      className="rounded-md px-2 py-0.5 text-[0.8125rem] font-medium text-soft hover:bg-sunken aria-pressed:bg-sunken aria-pressed:text-ink"
      onClick={choose}
    >
      <span>{name}</span>
      {!isChosen && draft !== '' && (
        <span
          aria-hidden
          className="ms-1.5 inline-block size-1.5 rounded-full border-3 border-accent align-middle"
        />
      )}
    </button>
  );
  return (
    <div
      ref={area}
      // A list of choices is above the text field, and would be cut off.
      className="border-t border-line bg-surface px-4 pt-2 pb-3 print:hidden short:min-h-0 short:overflow-y-auto short:py-1 short:has-[[role=listbox]]:overflow-visible md:px-6"
    >
      <div className="mb-2 flex min-h-6 items-center gap-3 short:mb-1 tiny:hidden">
        {maySend && addNote !== null && (
          <div role="group" aria-label={strings.write} className="flex gap-1">
            {tab(strings.reply, keys.reply, !isNote, replyDraft, () => setNote(false))}
            {tab(strings.note, keys.note, isNote, noteDraft, () => setNote(true))}
          </div>
        )}
        <TypingColleagues names={props.typing.names} />
      </div>
      {!maySend ? (
        <p className="text-soft">{strings.viewersOnlyRead}</p>
      ) : isNote && addNote !== null ? (
        <NoteBox workspaceId={workspaceId} number={number} add={addNote} />
      ) : (
        <ReplyBox
          workspaceId={workspaceId}
          number={number}
          last={props.last}
          loadLast={props.loadLast}
          isOptedOut={props.isOptedOut}
          onTyping={props.typing.report}
          onSent={props.onSent}
        />
      )}
    </div>
  );
}
