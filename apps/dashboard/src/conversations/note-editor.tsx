import type { Note, NoteRequest } from '@switchboard/contracts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/conversations';
import { Button } from '../ui/button.tsx';
import { FailureNotice } from '../ui/notice.tsx';
import { useUnsentWarning } from '../ui/use-unsent-warning.ts';
import { NoteField } from './note-field.tsx';
import { type NoteText, changeBody } from './note-text.ts';
import { useMentions } from './use-mentions.ts';

/** Edits the text of a note in place. */
export function NoteEditor(props: {
  workspaceId: string;
  note: Note;
  onSave(change: NoteRequest): Promise<void>;
  onClose(): void;
}) {
  const { workspaceId, note, onSave, onClose } = props;
  const [text, setText] = useState<NoteText>({ body: note.body, ranges: note.mention_ranges });
  const { body } = text;
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { choice, toRequest } = useMentions(workspaceId, text, setText, note.mentions);
  const form = useFocusAtEnd();
  useUnsentWarning(body !== note.body);

  function save(): void {
    if (body.trim() === '' || isSaving) return;
    setSaving(true);
    setError(null);
    onSave(toRequest())
      .then(onClose, setError)
      .finally(() => setSaving(false));
  }

  return (
    <form
      ref={form}
      className="w-[min(32rem,80vw)] max-w-full"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <FailureNotice error={error} />
      <div className="relative">
        <NoteField
          label={strings.noteText}
          choice={choice}
          body={body}
          write={(next) => setText(changeBody(text, next))}
          onEscape={onClose}
        />
      </div>
      <div className="mt-1.5 flex justify-end gap-2">
        <Button size="small" kind="quiet" onClick={onClose}>
          {actions.cancel}
        </Button>
        <Button size="small" type="submit" disabled={body.trim() === ''} isBusy={isSaving}>
          {actions.save}
        </Button>
      </div>
    </form>
  );
}

/** Focuses the text field of a form, with the cursor after its text. */
function useFocusAtEnd(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  return form;
}
