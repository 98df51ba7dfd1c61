import type { Conversation, Contact } from '@switchboard/contracts';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { numbersOf } from '../contacts/contact-directory.ts';

const CONTACTS_SHOWN = 5;
const CONVERSATIONS_SHOWN = 5;
/** Shorter texts match too much. */
const MIN_CHARACTERS = 2;
/** A request for each letter would use up the rate limit. */
const TYPING_MS = 200;

/** Searches contacts, conversations and messages for words or part of a number. */
export function useSearch(workspaceId: string, typed: string) {
  const api = useApi();
  const search = useDebounced(typed.trim(), TYPING_MS);
  const enabled = search.length >= MIN_CHARACTERS;
  const queryKey = [...queryKeys.workspace(workspaceId), 'search', search];
  const params = { workspaceId };
  const people = useQuery({
    queryKey: [...queryKey, 'people'],
    queryFn: async () => {
      const [contacts, conversations] = await Promise.all([
        api.request('GET /api/ui/workspaces/{workspaceId}/contacts', {
          params,
          query: { search, limit: CONTACTS_SHOWN },
        }),
        api.request('GET /api/ui/workspaces/{workspaceId}/conversations', {
          params,
          query: { search },
        }),
      ]);
      return joinPeople(contacts.data, conversations.data);
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  const messages = useInfiniteQuery({
    queryKey: [...queryKey, 'messages'],
    queryFn: ({ pageParam: after }) =>
      api.request('GET /api/ui/workspaces/{workspaceId}/messages/search', {
        params,
        query: { search, ...(after !== '' && { after }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    enabled,
    placeholderData: keepPreviousData,
  });
  return { search, isEnabled: enabled, people, messages };
}

export interface FoundPeople {
  conversations: Conversation[];
  /** The contacts without a conversation in the list. */
  contacts: Contact[];
}

function joinPeople(contacts: Contact[], found: Conversation[]): FoundPeople {
  const conversations = found.slice(0, CONVERSATIONS_SHOWN);
  const listed = new Set(conversations.map(({ number }) => number));
  return {
    conversations,
    contacts: contacts.filter((contact) => !numbersOf(contact).some((each) => listed.has(each))),
  };
}

/** Returns a value after it has not changed for some time. */
function useDebounced(value: string, ms: number): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
}
