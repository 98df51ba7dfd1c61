import type { Message, MessageList } from '@switchboard/contracts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { LIVE_QUERY } from '../live/live-query.ts';
import { useLiveBatch, useLiveFeed } from '../live/live-context.tsx';
import { type MessageFilters, matchesFilters, toHistoryQuery } from './message-filters.ts';

/**
 * If statuses or accounts are filtered, changes make the total inexact. The total is refetched
 * after this time.
 */
const RECOUNT_MS = 3_000;

/**
 * Queries one page of the history and updates it live. New messages appear at the top of the first
 * page. While the user interacts with the rows, new messages wait, and `waiting` is their number.
 */
export function useMessagePage(
  workspaceId: string,
  filters: MessageFilters,
  isInteracting: () => boolean,
) {
  const api = useApi();
  const feed = useLiveFeed();
  const client = useQueryClient();
  const queryKey = queryKeys.messagePage(workspaceId, filters);
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const mark = feed.mark();
      const list = await api.request('GET /api/ui/workspaces/{workspaceId}/messages', {
        params: { workspaceId },
        query: toHistoryQuery(filters),
      });
      const latest = { ...list, messages: list.messages.map(feed.latestOf) };
      if (filters.page > 1) return latest;
      const created = feed.createdSince(mark).filter((message) => matchesFilters(message, filters));
      return addRows(latest, created, filters.limit);
    },
    placeholderData: keepPreviousData,
    ...LIVE_QUERY,
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
      // More than a page of messages is waiting, but only one page was kept.
      void client.invalidateQueries({ queryKey, exact: true });
      return;
    }
    client.setQueryData<MessageList>(
      queryKey,
      (list) => list && addRows(list, messages, filters.limit),
    );
    if (filters.status !== undefined || filters.provider !== undefined) {
      recount.current ??= setTimeout(() => {
        recount.current = undefined;
        if (!isInteracting()) void client.invalidateQueries({ queryKey, exact: true });
      }, RECOUNT_MS);
    }
  }

  useLiveBatch((batch) => {
    const list = client.getQueryData<MessageList>(queryKey);
    if (list === undefined) return;
    // A change of the status, or an attempt with another account, may make an old message match.
    const isFixed = filters.status === undefined && filters.provider === undefined;
    const candidates = isFixed ? batch.created : [...batch.messages.values()];
    const shown = new Set(list.messages.map(({ id }) => id));
    const oldest = list.messages.at(-1)?.id ?? '';
    const isFull = list.messages.length >= filters.limit;
    const { current: held } = newest;
    const { messages } = held;
    for (const message of batch.messages.values()) {
      if (messages.has(message.id)) messages.set(message.id, message);
    }
    for (const message of candidates) {
      const belongs = matchesFilters(message, filters) && !shown.has(message.id);
      if (!belongs || messages.has(message.id) || (isFull && message.id < oldest)) continue;
      held.count += 1;
      messages.set(message.id, message);
      if (messages.size > filters.limit) messages.delete(firstKey(messages));
    }
    if (filters.page === 1 && !isInteracting()) {
      if (messages.size > 0) showWaiting();
    } else if (held.count !== waiting.count || waiting.page !== page) {
      setWaiting({ page, count: held.count });
    }
  });

  return { ...query, waiting: waiting.page === page ? waiting.count : 0, showWaiting };
}

function firstKey(messages: ReadonlyMap<string, Message>): string {
  const [first = ''] = messages.keys();
  return first;
}

/** Sorts by id: ids are UUIDv7, which sort by creation time. */
function addRows(list: MessageList, added: readonly Message[], limit: number): MessageList {
  const shown = new Set(list.messages.map(({ id }) => id));
  const missing = added.filter(({ id }) => !shown.has(id));
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
