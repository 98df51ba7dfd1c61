import * as actions from '#strings/actions';
import * as strings from '#strings/conversations';

import { Button } from '../ui/button.tsx';
import { StickyNote } from '../ui/icons.ts';
import { FailureNotice } from '../ui/notice.tsx';
import { draftNames } from './draft-names.ts';
import { NoteField } from './note-field.tsx';
import { useMentions } from './use-mentions.ts';
import type { useNotes } from './use-notes.ts';
import { useChosenDraft } from './use-chosen-draft.ts';
import { useTextDraft } from './use-text-draft.ts';

/** Writes a note that only members see. */
export function NoteBox(props: {
  workspaceId: string;
  number: string;
  add: ReturnType<typeof useNotes>['add'];
}) {
  const { workspaceId, number, add } = props;
  const { body, write, restore } = useTextDraft(draftNames.note(workspaceId, number));
  const chosen = useChosenDraft(draftNames.mentions(workspaceId, number));
  const { choice, mentions } = useMentions(workspaceId, { body, chosen: chosen.list }, (text) => {
    write(text.body);
    chosen.write(text.chosen);
  });
  const canAdd = body.trim() !== '' && !add.isPending;

  function submit(): void {
    if (!canAdd) return;
    write('');
    chosen.write([]);
    add.mutate(
      { body: body.trim(), mentions },
      {
        onError() {
          restore(body);
          chosen.write(chosen.list);
        },
      },
    );
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
          write={write}
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
