import type { Conversation } from '@switchboard/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { LIVE_QUERY } from '../live/live-query.ts';
import { useInboxFrame } from '../live/live-context.tsx';

const ONE = '/api/ui/workspaces/{workspaceId}/conversations/{number}';
/** A thread that is open only briefly is not marked as read. */
const READ_AFTER_MS = 400;

/** Queries and changes the state of a conversation, which is null while there is no message. */
export function useConversation(
  workspaceId: string,
  number: string,
  /** Called when the conversation was marked as unread, because an open thread marks it as read. */
  onUnread: () => void,
) {
  const api = useApi();
  const client = useQueryClient();
  const params = { workspaceId, number };
  const queryKey = queryKeys.conversation(workspaceId, number);
  const { data = null } = useQuery<Conversation | null>({
    queryKey,
    queryFn: () =>
      api.request(`GET ${ONE}`, { params }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'not_found') return null;
        throw error;
      }),
    ...LIVE_QUERY,
  });
  useInboxFrame((frame) => {
    if (frame.type !== 'conversation.updated' || frame.conversation.number !== number) return;
    client.setQueryData(queryKey, frame.conversation);
  });
  const change = useMutation({
    mutationFn: (body: {
      state?: 'open' | 'closed';
      assignee_id?: string | null;
      opt_out_suspected?: false;
    }) => api.request(`PATCH ${ONE}`, { params, body }),
    // The frame `conversation.updated` updates the lists.
    onSuccess: (changed) => client.setQueryData(queryKey, changed),
  });
  const markUnread = useMutation({
    mutationFn: () => api.request(`POST ${ONE}/unread`, { params }),
    onSuccess: onUnread,
  });
  return { conversation: data, change, markUnread };
}

/** Marks received messages as read while the thread is shown in a visible tab. */
export function useMarkRead(workspaceId: string, number: string, messageId: string | undefined) {
  const api = useApi();
  useEffect(() => {
    if (messageId === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mark = (): void => {
      clearTimeout(timer);
      if (document.visibilityState !== 'visible') return;
      timer = setTimeout(() => {
        // After a failure, the messages stay unread until the next visit.
        api
          .request(`POST ${ONE}/read`, {
            params: { workspaceId, number },
            body: { message_id: messageId },
          })
          .catch(() => undefined);
      }, READ_AFTER_MS);
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', mark);
    };
  }, [api, workspaceId, number, messageId]);
}
