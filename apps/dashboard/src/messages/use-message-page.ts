import type { Message, MessageList } from '@switchboard/contracts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { workspacePath } from '../api/workspace-queries.ts';
import { KEPT_LIVE } from '../live/kept-live.ts';
import { useLiveBatch, useLiveFeed } from '../live/live-context.tsx';
import { type MessageFilters, matchesFilters, toHistoryQuery } from './message-filters.ts';

/** A filter on the status makes totals a guess when statuses flip; they are asked for again. */
const RECOUNT_MS = 3_000;

/**
 * One page of the history, live. A new message goes to the top of the first page, unless the
 * reader is at work there: then it waits, and they are told how many do.
 */
export function useMessagePage(
  workspaceId: string,
  filters: MessageFilters,
  isReaderAtWork: () => boolean,
) {
  const api = useApi();
  const feed = useLiveFeed();
  const client = useQueryClient();
  const queryKey = queryKeys.messagePage(workspaceId, filters);
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const mark = feed.mark();
      const list = await api.get<MessageList>(
        `${workspacePath(workspaceId)}/messages?${toHistoryQuery(filters)}`,
      );
      const known = { ...list, messages: list.messages.map(feed.freshest) };
      if (filters.page > 1) return known;
      const born = feed.createdSince(mark).filter((message) => matchesFilters(message, filters));
      return addRows(known, born, filters.limit);
    },
    placeholderData: keepPreviousData,
    ...KEPT_LIVE,
  });

  const page = JSON.stringify(queryKey);
  const [waiting, setWaiting] = useState({ page, count: 0 });
  const newest = useRef({ page, count: 0, messages: new Map<string, Message>() });
  if (newest.current.page !== page) newest.current = { page, count: 0, messages: new Map() };
  const recount = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(recount.current), [page]);

  function showWaiting(): void {
    const { count, messages: held } = newest.current;
    const messages = [...held.values()];
    newest.current = { page, count: 0, messages: new Map() };
    setWaiting({ page, count: 0 });
    if (messages.length === 0) return;
    if (count > messages.length) {
      // More than a page has come, and only a page of it was held.
      void client.invalidateQueries({ queryKey, exact: true });
      return;
    }
    client.setQueryData<MessageList>(
      queryKey,
      (list) => list && addRows(list, messages, filters.limit),
    );
    if (filters.status !== undefined) {
      recount.current ??= setTimeout(() => {
        recount.current = undefined;
        if (!isReaderAtWork()) void client.invalidateQueries({ queryKey, exact: true });
      }, RECOUNT_MS);
    }
  }

  useLiveBatch((batch) => {
    const list = client.getQueryData<MessageList>(queryKey);
    if (list === undefined) return;
    // Under a filter on the status, an old message may come to match.
    const candidates = filters.status === undefined ? batch.created : [...batch.messages.values()];
    const known = new Set(list.messages.map(({ id }) => id));
    const oldest = list.messages.at(-1)?.id ?? '';
    const isFull = list.messages.length >= filters.limit;
    const { current: hold } = newest;
    const { messages } = hold;
    for (const message of batch.messages.values()) {
      if (messages.has(message.id)) messages.set(message.id, message);
    }
    for (const message of candidates) {
      const belongs = matchesFilters(message, filters) && !known.has(message.id);
      if (!belongs || messages.has(message.id) || (isFull && message.id < oldest)) continue;
      hold.count += 1;
      messages.set(message.id, message);
      if (messages.size > filters.limit) messages.delete(firstKey(messages));
    }
    if (filters.page === 1 && !isReaderAtWork()) {
      if (messages.size > 0) showWaiting();
    } else if (hold.count !== waiting.count || waiting.page !== page) {
      setWaiting({ page, count: hold.count });
    }
  });

  return { ...query, waiting: waiting.page === page ? waiting.count : 0, showWaiting };
}

function firstKey(messages: ReadonlyMap<string, Message>): string {
  const [first = ''] = messages.keys();
  return first;
}

/** Ids are UUIDv7: their order is the order of creation. */
function addRows(list: MessageList, added: readonly Message[], limit: number): MessageList {
  const known = new Set(list.messages.map(({ id }) => id));
  const missing = added.filter(({ id }) => !known.has(id));
  const messages = [...missing, ...list.messages]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
  const totalMessages = list.pagination.totalMessages + missing.length;
  const totalPages = Math.ceil(totalMessages / limit);
  return {
    messages,
    pagination: { ...list.pagination, totalMessages, totalPages, hasNext: totalPages > 1 },
  };
}
