import type { Contact } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/contacts';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { Tag } from '../settings/section.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { downloadFile } from '../ui/download-file.ts';
import { BookUser, Download, MessagesSquare, Plus, Upload } from '../ui/icons.ts';
import { EmptyState, FailureNotice, LoadFailure, Skeleton } from '../ui/notice.tsx';
import { RowList } from '../ui/row-list.tsx';
import { useTitle } from '../ui/use-title.ts';
import { ContactDialog } from './contact-dialog.tsx';
import { listFields } from './contact-draft.ts';
import { ImportDialog } from './import/import-dialog.tsx';
import { useContacts } from './use-contacts.ts';
import { IfMay } from '../session/use-may.tsx';

/** The contacts of the workspace, with search, import and export. */
export function ContactsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/contacts' });
  const api = useApi();
  const [search, setSearch] = useState('');
  const [edited, setEdited] = useState<Partial<Contact> | null>(null);
  const [isImporting, setImporting] = useState(false);
  const download = useMutation({
    mutationFn: () =>
      api.download('GET /api/ui/workspaces/{workspaceId}/contacts/export.csv', {
        params: { workspaceId },
        query: { numbers: 'spaced' },
      }),
    onSuccess: (file) => downloadFile(file, 'contacts.csv'),
  });
  useTitle(names.contacts);
  return (
    <section aria-labelledby="contacts-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-14 flex-wrap items-center gap-2 px-4 py-2 md:px-5">
        <h1 id="contacts-title" className="mr-auto text-base font-semibold">
          {names.contacts}
        </h1>
        <IfMay permission="change">
          <Button size="small" onClick={() => setImporting(true)}>
            <Upload size={14} aria-hidden />
            <span className="max-sm:sr-only">{strings.importTable}</span>
          </Button>
        </IfMay>
        <Button size="small" isBusy={download.isPending} onClick={() => download.mutate()}>
          <Download size={14} aria-hidden />
          <span className="max-sm:sr-only">{actions.exportFile}</span>
        </Button>
        <IfMay permission="change">
          <Button size="small" kind="primary" onClick={() => setEdited({})}>
            <Plus size={14} aria-hidden />
            {strings.newContact}
          </Button>
        </IfMay>
        <input
          type="search"
          aria-label={strings.searchContacts}
          className="field"
          placeholder={strings.searchContactsExample}
          maxLength={100}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <div className="basis-full empty:hidden">
          <FailureNotice error={download.error} />
        </div>
      </div>
      <div className="scroller min-h-0 flex-1 border-t border-line bg-surface">
        <Contacts workspaceId={workspaceId} search={search} onEdit={setEdited} />
      </div>
      {edited !== null && (
        <ContactDialog workspaceId={workspaceId} contact={edited} onClose={() => setEdited(null)} />
      )}
      {isImporting && (
        <ImportDialog workspaceId={workspaceId} onClose={() => setImporting(false)} />
      )}
    </section>
  );
}

function Contacts(props: { workspaceId: string; search: string; onEdit(contact: Contact): void }) {
  const { workspaceId, onEdit } = props;
  const search = useDeferredValue(props.search.trim());
  const query = useContacts(workspaceId, search);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (data === undefined) {
    return error === null ? (
      <div className="p-4">
        <Skeleton lines={8} height="h-12" />
      </div>
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    );
  }
  const contacts = data.pages.flatMap((page) => page.data);
  if (contacts.length === 0) {
    return (
      <EmptyState
        icon={<BookUser size={20} aria-hidden />}
        title={search === '' ? strings.noContactsYet : strings.noMatchingContacts}
      >
        {search === '' ? strings.noContactsHint : strings.noMatchingContactsHint}
      </EmptyState>
    );
  }
  return (
    <>
      <RowList
        aria-label={names.contacts}
        className="divide-y divide-line"
        items={contacts}
        toCells={toCells}
      >
        {(contact) => (
          <Row key={contact.id} workspaceId={workspaceId} contact={contact} onEdit={onEdit} />
        )}
      </RowList>
      {hasNextPage && (
        <div className="p-4 text-center">
          <Button size="small" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? actions.loading : actions.showMore}
          </Button>
        </div>
      )}
    </>
  );
}

const toCells = ({ name, number, other_numbers, tags, fields }: Contact): string[] => [
  name,
  formatPhone(number),
  other_numbers.map(formatPhone).join(', '),
  tags.join(', '),
  describeFields(fields).join('\n'),
];

const describeFields = (fields: Contact['fields']): string[] =>
  listFields(fields).map(([field, value]) => `${field}: ${value}`);

function Row(props: { workspaceId: string; contact: Contact; onEdit(contact: Contact): void }) {
  const { workspaceId, contact, onEdit } = props;
  const { name, number, other_numbers, tags, fields } = contact;
  // A contact without a name shows its number in place of the name.
  const numbers = [...(name === '' ? [] : [number]), ...other_numbers];
  const details = describeFields(fields);
  return (
    <li data-contact={number} className="flex items-center gap-2 px-4 hover:bg-sunken md:px-5">
      <button
        type="button"
        className="flex min-h-14 min-w-0 flex-1 flex-col justify-center gap-0.5 py-2 text-left"
        onClick={() => onEdit(contact)}
      >
        <span className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="font-medium [overflow-wrap:anywhere]">{name || formatPhone(number)}</bdi>
          {tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </span>
        <span className="max-w-full truncate text-[0.8125rem] text-faint tabular-nums">
          {[...numbers.map(formatPhone), ...details].join(' · ')}
        </span>
      </button>
      <Link
        to="/w/$workspaceId/conversations/$number"
        params={{ workspaceId, number }}
        preload={false}
        aria-label={strings.conversationWith(name || number)}
        className={buttonClass({ kind: 'quiet', size: 'icon' })}
      >
        <MessagesSquare size={16} aria-hidden />
      </Link>
    </li>
  );
}
