import type { Contact, Conversation, Message } from '@switchboard/contracts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import * as names from '#strings/names';
import * as strings from '#strings/search';
import { useContactName } from '../contacts/contact-context.tsx';
import { numbersOf } from '../contacts/contact-directory.ts';
import { counterpartOf } from '../conversations/conversation-cache.ts';
import { formatPhone } from '../phone/format-phone.ts';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/time.tsx';
import { SearchX } from '../ui/icons.ts';
import { EmptyState, LoadFailure, Skeleton } from '../ui/notice.tsx';
import { markWords } from './mark-words.ts';
import { useSearch } from './use-search.ts';

interface Props {
  workspaceId: string;
  text: string;
  onOpen(): void;
}

const ROW =
  'flex min-h-12 flex-col justify-center rounded-lg px-3 py-2 hover:bg-sunken focus-visible:bg-sunken';

export function SearchResults({ workspaceId, text, onOpen }: Props) {
  const { search, isEnabled, people, messages } = useSearch(workspaceId, text);
  if (!isEnabled) {
    return <p className="px-3 py-8 text-center text-soft">{strings.typeAtLeastTwoCharacters}</p>;
  }
  const error = people.error ?? messages.error;
  if (error !== null) {
    const retry = () => void Promise.all([people.refetch(), messages.refetch()]);
    return <LoadFailure error={error} onRetry={retry} />;
  }
  if (people.data === undefined || messages.data === undefined) {
    return <Skeleton lines={6} height="h-12" />;
  }
  const { contacts, conversations } = people.data;
  const found = messages.data.pages.flatMap((page) => page.data);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = messages;
  if (contacts.length + conversations.length + found.length === 0 && !hasNextPage) {
    return (
      <EmptyState icon={<SearchX size={20} aria-hidden />} title={strings.nothingFound}>
        {strings.nothingFoundHint}
      </EmptyState>
    );
  }
  return (
    <div className="space-y-4">
      {conversations.length > 0 && (
        <Group title={names.conversations}>
          {conversations.map((each) => (
            <FoundConversation
              key={each.number}
              workspaceId={workspaceId}
              conversation={each}
              onOpen={onOpen}
            />
          ))}
        </Group>
      )}
      {contacts.length > 0 && (
        <Group title={names.contacts}>
          {contacts.map((each) => (
            <FoundContact key={each.id} workspaceId={workspaceId} contact={each} onOpen={onOpen} />
          ))}
        </Group>
      )}
      {(found.length > 0 || hasNextPage) && (
        <Group title={names.messages}>
          {found.map((each) => (
            <FoundMessage
              key={each.id}
              workspaceId={workspaceId}
              message={each}
              search={search}
              onOpen={onOpen}
            />
          ))}
          {hasNextPage && (
            <li className="p-2 text-center">
              {found.length === 0 && (
                <p className="mb-2 text-soft">{strings.noMatchesInNewestMessages}</p>
              )}
              <Button
                size="small"
                disabled={isFetchingNextPage}
                onClick={() => void fetchNextPage()}
              >
                {isFetchingNextPage ? strings.searching : strings.searchOlderMessages}
              </Button>
            </li>
          )}
        </Group>
      )}
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId} className="mb-1 px-3 text-[0.8125rem] font-medium text-faint">
        {title}
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

function FoundConversation(props: {
  workspaceId: string;
  conversation: Conversation;
  onOpen(): void;
}) {
  const { number, last_message, contact } = props.conversation;
  return (
    <ConversationLink workspaceId={props.workspaceId} number={number} onOpen={props.onOpen}>
      <Line name={contact?.name || null} number={number} at={last_message.created_at} />
      <span dir="auto" className="truncate text-[0.8125rem] text-soft">
        {last_message.body === '' ? names.media : last_message.body}
      </span>
    </ConversationLink>
  );
}

function FoundContact(props: { workspaceId: string; contact: Contact; onOpen(): void }) {
  const { name, number } = props.contact;
  return (
    <ConversationLink workspaceId={props.workspaceId} number={number} onOpen={props.onOpen}>
      <bdi className="truncate font-medium">{name || formatPhone(number)}</bdi>
      <span className="truncate text-[0.8125rem] text-faint tabular-nums">
        {numbersOf(props.contact).map(formatPhone).join(' · ')}
      </span>
    </ConversationLink>
  );
}

function ConversationLink(props: {
  workspaceId: string;
  number: string;
  onOpen(): void;
  children: ReactNode;
}) {
  return (
    <li>
      <Link
        to="/w/$workspaceId/conversations/$number"
        params={{ workspaceId: props.workspaceId, number: props.number }}
        preload={false}
        className={ROW}
        onClick={props.onOpen}
      >
        {props.children}
      </Link>
    </li>
  );
}

function FoundMessage(props: {
  workspaceId: string;
  message: Message;
  search: string;
  onOpen(): void;
}) {
  const { workspaceId, message, search } = props;
  const number = counterpartOf(message);
  const name = useContactName(number);
  return (
    <li>
      <Link
        to="/w/$workspaceId/messages/$messageId"
        params={{ workspaceId, messageId: message.id }}
        preload={false}
        className={ROW}
        onClick={props.onOpen}
      >
        <Line
          prefix={message.direction === 'inbound' ? strings.from : strings.to}
          name={name}
          number={number ?? ''}
          at={message.created_at}
        />
        <span dir="auto" className="line-clamp-2 text-[0.8125rem] text-soft">
          {markWords(message.body, search).map(({ text, isFound }, index) =>
            isFound ? (
              <mark key={index} className="rounded bg-accent-soft font-semibold text-accent-strong">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </span>
      </Link>
    </li>
  );
}

function Line(props: { prefix?: string; name: string | null; number: string; at: string }) {
  const { prefix, name, number, at } = props;
  return (
    <span className="flex items-baseline justify-between gap-3">
      <span className="min-w-0 truncate tabular-nums">
        {prefix !== undefined && <span className="text-faint">{prefix} </span>}
        <bdi className="font-medium">{name ?? formatPhone(number)}</bdi>
      </span>
      <Time at={at} className="shrink-0 text-xs text-faint" />
    </span>
  );
}
