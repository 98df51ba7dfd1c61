import * as actions from '#strings/actions';
import * as strings from '#strings/conversations';

import { Button } from '../ui/button.tsx';
import { StickyNote } from '../ui/icons.ts';
import { FailureNotice } from '../ui/notice.tsx';
import { NoteField } from './note-field.tsx';
import { NO_NOTE_TEXT, changeBody } from './note-text.ts';
import { useMentions } from './use-mentions.ts';
import { useNoteDraft } from './use-note-draft.ts';
import type { useNotes } from './use-notes.ts';

/** Writes a note that only members see. */
export function NoteBox(props: {
  workspaceId: string;
  number: string;
  add: ReturnType<typeof useNotes>['add'];
}) {
  const { workspaceId, number, add } = props;
  const { text, write, restore } = useNoteDraft(workspaceId, number);
  const { body } = text;
  const { choice, toRequest } = useMentions(workspaceId, text, write);
  const canAdd = body.trim() !== '' && !add.isPending;

  function submit(): void {
    if (!canAdd) return;
    write(NO_NOTE_TEXT);
    add.mutate(toRequest(), { onError: () => restore(text) });
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FailureNotice error={add.error} />
      <div className="relative mt-2 flex items-end gap-2 first:mt-0">
        <NoteField
          label={strings.note}
          aria-describedby="note-hint"
          placeholder={strings.noteExample}
          choice={choice}
          body={body}
          write={(next) => write(changeBody(text, next))}
          onEscape={(field) => field.blur()}
        />
        <Button
          type="submit"
          className="h-14 short:h-9"
          aria-label={strings.addNote}
          disabled={!canAdd}
        >
          <StickyNote size={17} aria-hidden />
        </Button>
      </div>
      <p id="note-hint" className="mt-1.5 min-h-5 text-[0.8125rem] text-faint short:hidden">
        {add.isPending ? actions.saving : strings.noteHint}
      </p>
    </form>
  );
}
