import { CONTACT_LIMITS, type Contact } from '@switchboard/contracts';
import { useRef, useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/contacts';
import { PhoneInput } from '../phone/phone-input.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { ConfirmButton } from '../settings/confirm-button.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Plus } from '../ui/icons.ts';
import { FailureNotice } from '../ui/notice.tsx';
import { isChanged, toDraft, toRequest } from './contact-draft.ts';
import { ContactFields } from './contact-fields.tsx';
import { ContactNumbers } from './contact-numbers.tsx';
import { MergeDialog } from './merge/merge-dialog.tsx';
import { useContactChange } from './use-contacts.ts';
import { IfMay, ReadOnlyUnless, useMay } from '../session/use-may.tsx';

const ONE = '/api/ui/workspaces/{workspaceId}/contacts/{contactId}';

/** Adds a contact, or changes one that has an id. */
export function ContactDialog(props: {
  workspaceId: string;
  contact: Partial<Contact>;
  onClose(): void;
}) {
  const { workspaceId, onClose } = props;
  const [contact, setContact] = useState(props.contact);
  const contactId = contact.id;
  const [draft, setDraft] = useState(() => toDraft(contact));
  const [isMerging, setMerging] = useState(false);
  const mergesNext = useRef(false);
  const save = useContactChange(workspaceId, (api, body: ReturnType<typeof toRequest>) =>
    contactId === undefined
      ? api.request('POST /api/ui/workspaces/{workspaceId}/contacts', {
          params: { workspaceId },
          body,
        })
      : api.request(`PATCH ${ONE}`, { params: { workspaceId, contactId }, body }),
  );
  const remove = useContactChange(workspaceId, (api, id: string) =>
    api.request(`DELETE ${ONE}`, { params: { workspaceId, contactId: id } }),
  );
  const isEdited = isChanged(draft, contact);
  const mayChange = useMay('change');

  /** Saves unsaved edits first, because a merge combines the stored contacts. */
  function startMerge(form: HTMLFormElement | null): void {
    if (save.isPending) return;
    if (!isEdited) return setMerging(true);
    mergesNext.current = true;
    // Calls the form's `onSubmit` before it returns, unless a field is not valid.
    form?.requestSubmit();
    mergesNext.current = false;
  }

  return (
    <Dialog
      title={contactId === undefined ? strings.newContact : strings.contact}
      onClose={onClose}
    >
      <Form
        className="space-y-4"
        error={save.error}
        onSubmit={() => {
          const isMergeNext = mergesNext.current;
          save.mutate(toRequest(draft), {
            onSuccess(saved) {
              if (!isMergeNext) return onClose();
              setContact(saved);
              setMerging(true);
            },
          });
        }}
      >
        <ReadOnlyUnless permission="change" className="space-y-4">
          <Field label={strings.name} name="name">
            {(control) => (
              <input
                {...control}
                className="field"
                dir="auto"
                autoComplete="off"
                maxLength={CONTACT_LIMITS.nameCharacters}
                value={draft.name}
                onChange={(event) => setDraft({ ...draft, name: event.target.value })}
              />
            )}
          </Field>
          <PhoneInput
            label={strings.number}
            name="number"
            value={draft.number}
            onChange={(number) => setDraft({ ...draft, number })}
          />
          <ContactNumbers
            numbers={draft.otherNumbers}
            onChange={(otherNumbers) => setDraft({ ...draft, otherNumbers })}
          />
          <Field label={strings.tags} name="tags" hint={strings.tagsHint(CONTACT_LIMITS.tags)}>
            {(control) => (
              <input
                {...control}
                className="field"
                dir="auto"
                autoComplete="off"
                placeholder={strings.tagsExample}
                value={draft.tags}
                onChange={(event) => setDraft({ ...draft, tags: event.target.value })}
              />
            )}
          </Field>
          <ContactFields
            fields={draft.fields}
            onChange={(fields) => setDraft({ ...draft, fields })}
          />
          {mayChange && draft.fields.length < CONTACT_LIMITS.fields && (
            <Button
              size="small"
              kind="quiet"
              className="-ml-2.5"
              onClick={() => setDraft({ ...draft, fields: [...draft.fields, ['', '']] })}
            >
              <Plus size={14} aria-hidden />
              {strings.addField}
            </Button>
          )}
        </ReadOnlyUnless>
        <FailureNotice error={save.error} />
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line pt-4">
          {mayChange && contactId !== undefined && (
            <div className="mr-auto -ml-2.5 flex gap-1">
              <ConfirmButton
                label={actions.deleteIt}
                title={strings.deleteQuestion(contact.name || formatPhone(contact.number ?? ''))}
                onConfirm={() => remove.mutateAsync(contactId).then(onClose)}
              >
                {strings.deleteExplained}
              </ConfirmButton>
              <Button size="small" onClick={({ currentTarget }) => startMerge(currentTarget.form)}>
                {isEdited ? strings.saveAndMerge : strings.mergeWithAnother}
              </Button>
            </div>
          )}
          <Button kind="quiet" onClick={onClose}>
            {mayChange ? actions.cancel : actions.close}
          </Button>
          <IfMay permission="change">
            <Button type="submit" kind="primary" isBusy={save.isPending}>
              {contactId === undefined ? strings.addContact : actions.save}
            </Button>
          </IfMay>
        </div>
      </Form>
      {isMerging && isSaved(contact) && (
        <MergeDialog
          workspaceId={workspaceId}
          contact={contact}
          onMerged={onClose}
          onClose={() => setMerging(false)}
        />
      )}
    </Dialog>
  );
}

function isSaved(contact: Partial<Contact>): contact is Contact {
  return contact.id !== undefined;
}
