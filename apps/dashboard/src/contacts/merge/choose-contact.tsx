import type { Contact } from '@switchboard/contracts';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import * as strings from '#strings/contacts';
import { formatPhone } from '../../phone/format-phone.ts';
import { Field } from '../../ui/field.tsx';
import { LoadFailure, Skeleton } from '../../ui/notice.tsx';
import { useContacts } from '../use-contacts.ts';

/** Searches for the contact to merge into this one. The first search is for this contact’s name. */
export function ChooseContact(props: {
  workspaceId: string;
  contact: Contact;
  onChoose(contact: Contact): void;
}) {
  const { contact, onChoose } = props;
  const [text, setText] = useState(contact.name);
  const search = useDeferredValue(text.trim());
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { data, error, refetch } = useContacts(props.workspaceId, search);
  const found = data?.pages.flatMap((page) => page.data).filter(({ id }) => id !== contact.id);
  return (
    <div className="space-y-3">
      <Field label={strings.mergeWith} hint={strings.mergeWithHint}>
        {(control) => (
          <input
            {...control}
            ref={field}
            type="search"
            className="field"
            dir="auto"
            placeholder={strings.searchContactsExample}
            maxLength={100}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {found === undefined ? (
        error === null ? (
          <Skeleton lines={4} height="h-12" />
        ) : (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        )
      ) : found.length === 0 ? (
        <p role="status" className="py-6 text-center text-soft">
          {strings.noOtherContactMatches}
        </p>
      ) : (
        <ul
          aria-label={strings.contactsToMergeWith}
          className="scroller max-h-80 divide-y divide-line rounded-lg border border-line"
        >
          {found.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                className="flex min-h-12 w-full flex-col justify-center px-3 py-2 text-left hover:bg-sunken"
                onClick={() => onChoose(each)}
              >
                <bdi className="font-medium [overflow-wrap:anywhere]">
                  {each.name || formatPhone(each.number)}
                </bdi>
                <span className="text-[0.8125rem] text-faint tabular-nums">
                  {[each.number, ...each.other_numbers].map(formatPhone).join(' · ')}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
