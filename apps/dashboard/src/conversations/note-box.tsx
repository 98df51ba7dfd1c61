import { Button } from '../ui/button.tsx';
import { StickyNote } from '../ui/icons.ts';
import { FailureNotice } from '../ui/notice.tsx';
import { ChoiceList } from '../ui/choice-list.tsx';
import { describeChoice } from '../ui/use-choice.ts';
import { useMentions } from './use-mentions.ts';
import type { useNotes } from './use-notes.ts';
import { useTextDraft } from './use-text-draft.ts';

const NOTE_MAX_CHARACTERS = 2_000;

/** Writes a note that only members see. */
export function NoteBox(props: {
  workspaceId: string;
  number: string;
  add: ReturnType<typeof useNotes>['add'];
}) {
  const { workspaceId, number, add } = props;
  const { body, write, restore } = useTextDraft(`note ${workspaceId} ${number}`);
  const { choice, findMentions } = useMentions(workspaceId, body, write);
  const canAdd = body.trim() !== '' && !add.isPending;

  function submit(): void {
    if (!canAdd) return;
    write('');
    add.mutate(
      { body: body.trim(), mentions: findMentions(body) },
      { onError: () => restore(body) },
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
        {choice.isOpen && <ChoiceList choice={choice} />}
        <textarea
          {...describeChoice(choice)}
          aria-label="Note"
          aria-describedby="note-hint"
          dir="auto"
          rows={2}
          placeholder="Note for your team"
          className="field max-h-40 min-h-14 resize-none bg-wait-soft leading-relaxed"
          maxLength={NOTE_MAX_CHARACTERS}
          value={body}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => {
            if (choice.onKeyDown(event)) return;
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
              event.preventDefault();
              submit();
            }
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <Button type="submit" className="h-14" aria-label="Add note" disabled={!canAdd}>
          <StickyNote size={17} aria-hidden />
        </Button>
      </div>
      <p id="note-hint" className="mt-1.5 min-h-5 text-[0.8125rem] text-faint">
        Only members of the workspace can see notes. Type @ to mention a member.
      </p>
    </form>
  );
}
