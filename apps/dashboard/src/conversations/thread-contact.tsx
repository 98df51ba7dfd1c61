import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import * as strings from '#strings/conversations';
import { useContact } from '../contacts/contact-context.tsx';
import { numbersOf } from '../contacts/contact-directory.ts';
import { ContactDialog } from '../contacts/contact-dialog.tsx';
import { listFields } from '../contacts/contact-draft.ts';
import { formatPhone } from '../phone/format-phone.ts';
import { Tag } from '../settings/section.tsx';
import { useShortcutKey } from '../shell/shortcuts.ts';
import { useShortcuts } from '../shell/use-shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { UserRound } from '../ui/icons.ts';
import { useMay } from '../session/use-may.tsx';

/** The title of a thread: the contact with its tags and fields, or the number. */
export function ThreadContact({ workspaceId, number }: { workspaceId: string; number: string }) {
  const contact = useContact(number);
  const [isOpen, setOpen] = useState(false);
  const contactKey = useShortcutKey('contact');
  // A viewer can look at a contact, but not add one.
  const mayChange = useMay('change');
  const isOffered = mayChange || contact !== null;
  useShortcuts({ ...(isOffered && { contact: () => setOpen(true) }) });
  const name = contact?.name || null;
  const others = contact === null ? [] : numbersOf(contact).filter((each) => each !== number);
  const tags = contact?.tags ?? [];
  const details = [
    ...(name === null ? [] : [formatPhone(number)]),
    ...listFields(contact?.fields ?? {}).map(([field, value]) => `${field}: ${value}`),
  ].join(' · ');
  return (
    <>
      <div className="min-w-0 flex-1 py-1.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h2 id="thread-title" className="truncate font-semibold tabular-nums">
            <bdi>{name ?? formatPhone(number)}</bdi>
          </h2>
          {others.map((other) => (
            <Link
              key={other}
              to="/w/$workspaceId/conversations/$number"
              params={{ workspaceId, number: other }}
              preload={false}
              className="inline-flex min-h-6 items-center text-[0.8125rem] text-accent-strong tabular-nums underline"
            >
              {strings.conversationWith({
                hidden: (text) => <span className="sr-only">{text}</span>,
                number: formatPhone(other),
              })}
            </Link>
          ))}
          {tags.map((tag) => (
            <span key={tag} className="max-md:hidden">
              <Tag>{tag}</Tag>
            </span>
          ))}
        </div>
        {(details !== '' || tags.length > 0) && (
          <p
            dir="auto"
            className="truncate text-[0.8125rem] text-faint tabular-nums"
            title={details}
          >
            {/* On narrow screens, tags would take lines of their own. */}
            {tags.length > 0 && (
              <span className="font-medium text-soft md:hidden">{tags.join(', ')}</span>
            )}
            {tags.length > 0 && details !== '' && <span className="md:hidden"> · </span>}
            <span>{details}</span>
          </p>
        )}
      </div>
      {isOffered && (
        <Button
          size="small"
          kind="quiet"
          aria-keyshortcuts={contactKey}
          onClick={() => setOpen(true)}
        >
          <UserRound size={14} aria-hidden />
          {contact === null ? strings.addContact : strings.contact}
        </Button>
      )}
      {isOpen && (
        <ContactDialog
          workspaceId={workspaceId}
          contact={contact ?? { number }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
