import type { Note, NoteRequest } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as actions from '#strings/actions';
import * as strings from '#strings/conversations';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { meQuery } from '../api/workspace-queries.ts';
import { ConfirmButton } from '../settings/confirm-button.tsx';
import { useMay } from '../session/use-may.tsx';
import { Button } from '../ui/button.tsx';
import { formatFullTime } from '../ui/format.ts';
import { Time } from '../ui/time.tsx';
import { MentionText } from './mention-text.tsx';
import { NoteEditor } from './note-editor.tsx';

/** A note between the messages of a thread. Its author may edit it; its author and owners may remove it. */
export function NoteItem(props: {
  workspaceId: string;
  note: Note;
  onEdit(change: NoteRequest): Promise<void>;
  onRemove(): Promise<void>;
}) {
  const { author, created_at, edited_at, removed_at, id } = props.note;
  const { data: me } = useQuery(meQuery(useApi()));
  const isOwner = useMay('manage');
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const isRemoved = removed_at !== null;
  const mayChange = useMay('change');
  const isOwn = mayChange && author !== null && author.id === me?.user.id;

  function closeEditor(): void {
    flushSync(() => setEditing(false));
    editButton.current?.focus();
  }

  return (
    <li data-item className="flex flex-col items-center" data-note={id}>
      <div
        className={`max-w-[min(36rem,95%)] rounded-xl px-3.5 py-2 leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap ${
          isRemoved ? 'border border-dashed border-line-strong' : 'bg-wait-soft'
        }`}
      >
        {isRemoved ? (
          <p className="text-soft">{strings.thisNoteWasRemoved}</p>
        ) : isEditing ? (
          <NoteEditor
            workspaceId={props.workspaceId}
            note={props.note}
            onSave={props.onEdit}
            onClose={closeEditor}
          />
        ) : (
          <>
            {/* Printers leave out the background, which shows that it is a note. */}
            <span className="sr-only print:not-sr-only">{strings.noteLabel} </span>
            <p dir="auto">
              <MentionText note={props.note} isLinked />
            </p>
          </>
        )}
        <div className="mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-soft">
          <span>
            <bdi>{author?.name ?? names.formerMember}</bdi>
            {' · '}
            <Time at={created_at} style="clock" />
            {edited_at !== null && !isRemoved && (
              <span>
                {' · '}
                <span title={formatFullTime(edited_at)}>{strings.edited}</span>
              </span>
            )}
          </span>
          <span className="contents print:hidden">
            {isOwn && !isRemoved && !isEditing && (
              <Button
                ref={editButton}
                kind="quiet"
                size="link"
                aria-label={strings.editThisNote}
                onClick={() => setEditing(true)}
              >
                {actions.edit}
              </Button>
            )}
            {(isOwn || isOwner) && !isRemoved && !isEditing && (
              <ConfirmButton
                label={actions.remove}
                ariaLabel={strings.removeThisNote}
                title={strings.removeThisNoteQuestion}
                isSubtle
                onConfirm={props.onRemove}
              >
                {strings.removeThisNoteExplained}
              </ConfirmButton>
            )}
          </span>
        </div>
      </div>
    </li>
  );
}
