import type { MessageList, MessageWithEvents } from '@switchboard/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.ts';
import type { LiveBatch } from './live-feed.ts';
import { newerOf } from './newer-of.ts';

/** Updates the cached messages in place. Each list adds new messages itself. */
export function applyLiveBatch(client: QueryClient, workspaceId: string, batch: LiveBatch): void {
  client.setQueriesData<MessageList>({ queryKey: queryKeys.messages(workspaceId) }, (list) =>
    list === undefined ? list : updateRows(list, batch),
  );
  if (batch.created.length > 0) client.setQueryData(queryKeys.anyMessage(workspaceId), true);
  for (const message of batch.messages.values()) {
    const key = queryKeys.message(workspaceId, message.id);
    if (client.getQueryData(key) === undefined) continue;
    client.setQueryData<MessageWithEvents>(key, (cached) => cached && newerOf(cached, message));
    // Frames do not contain the timeline.
    void client.invalidateQueries({ queryKey: key });
  }
  for (const { repeat_of: first } of batch.messages.values()) {
    if (first === null) continue;
    // The first message shows the states of its repeats.
    void client.invalidateQueries({ queryKey: queryKeys.message(workspaceId, first) });
  }
}

function updateRows(list: MessageList, { messages }: LiveBatch): MessageList {
  if (!list.messages.some(({ id }) => messages.has(id))) return list;
  return {
    ...list,
    messages: list.messages.map((cached) => {
      const received = messages.get(cached.id);
      return received === undefined ? cached : newerOf(cached, received);
    }),
  };
}
