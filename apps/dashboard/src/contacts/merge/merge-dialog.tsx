import type { Contact } from '@switchboard/contracts';
import { useEffect, useRef, useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/contacts';
import { formatPhone } from '../../phone/format-phone.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { useContactChange } from '../use-contacts.ts';
import { ChooseContact } from './choose-contact.tsx';
import { MergeChoices } from './merge-choices.tsx';
import { type MergeDraft, startDraft } from './merge-draft.ts';

/** Merges two contacts: choose the other contact, decide what to keep, merge. */
export function MergeDialog(props: {
  workspaceId: string;
  contact: Contact;
  onMerged(): void;
  onClose(): void;
}) {
  const { workspaceId, contact } = props;
  const [other, setOther] = useState<Contact | null>(null);
  return (
    <Dialog title={strings.mergeContacts} onClose={props.onClose}>
      {other === null ? (
        <ChooseContact workspaceId={workspaceId} contact={contact} onChoose={setOther} />
      ) : (
        <DecideMerge {...props} other={other} onBack={() => setOther(null)} />
      )}
    </Dialog>
  );
}

function DecideMerge(props: {
  workspaceId: string;
  contact: Contact;
  other: Contact;
  onMerged(): void;
  onBack(): void;
}) {
  const { workspaceId, contact, other, onMerged } = props;
  const [draft, setDraft] = useState(() => startDraft(contact, other));
  // The button that chose the other contact had the focus, and is gone.
  const start = useRef<HTMLParagraphElement>(null);
  useEffect(() => start.current?.focus(), []);
  const merge = useContactChange(workspaceId, (api, { otherNumbers, ...decided }: MergeDraft) =>
    api.request('POST /api/ui/workspaces/{workspaceId}/contacts/{contactId}/merge', {
      params: { workspaceId, contactId: contact.id },
      body: {
        contact_id: other.id,
        ...decided,
        tags: [...decided.tags],
        other_numbers: [...otherNumbers],
      },
    }),
  );
  return (
    <Form
      className="space-y-4"
      error={merge.error}
      onSubmit={() => merge.mutate(draft, { onSuccess: onMerged })}
    >
      <p ref={start} tabIndex={-1} className="text-soft outline-none">
        {strings.becomeOne({
          first: <bdi>{nameOf(contact)}</bdi>,
          second: <bdi>{nameOf(other)}</bdi>,
        })}
      </p>
      <MergeChoices contact={contact} other={other} draft={draft} onChange={setDraft} />
      <FailureNotice error={merge.error} />
      <div className="flex justify-end gap-2 border-t border-line pt-4">
        <Button kind="quiet" onClick={props.onBack}>
          {actions.back}
        </Button>
        <Button type="submit" kind="primary" isBusy={merge.isPending}>
          {strings.merge}
        </Button>
      </div>
    </Form>
  );
}

const nameOf = ({ name, number }: Contact): string => name || formatPhone(number);
