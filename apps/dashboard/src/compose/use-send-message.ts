import type { BodyOf } from '@switchboard/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { UNSENT } from '../ui/use-unsent-warning.ts';
import { useLiveFeed } from '../live/live-context.tsx';

const ONE = 'GET /api/ui/workspaces/{workspaceId}/messages/{messageId}';
const SEND = 'POST /api/ui/workspaces/{workspaceId}/messages';

type SendMessageRequest = BodyOf<typeof SEND>;

/**
 * Sends a message. A retry of the same request reuses its Idempotency-Key: if the response to the
 * first request was lost, the retry returns it, and no second message is sent.
 */
export function useSendMessage(
  workspaceId: string,
  options: {
    /** Called even after the component has been unmounted. */
    onError?(request: SendMessageRequest): void;
  } = {},
) {
  const api = useApi();
  const client = useQueryClient();
  const feed = useLiveFeed();
  const last = useRef({ request: '', key: '' });
  return useMutation({
    mutationKey: UNSENT,
    mutationFn: (request: SendMessageRequest) => {
      const text = JSON.stringify(request);
      if (last.current.request !== text) last.current = { request: text, key: createKey() };
      return api.request(SEND, {
        params: { workspaceId },
        body: request,
        headers: { 'idempotency-key': last.current.key },
      });
    },
    onError: (_error, request) => options.onError?.(request),
    onSuccess: ({ id }) => {
      // After a success, the same text again is a new message.
      last.current = { request: '', key: '' };
      // Shown without its event, which a dead connection would not bring: a person who does not see a message that
      // was sent sends it again. If it can't be fetched either, its event brings it after the reconnect.
      client
        .query({
          queryKey: queryKeys.message(workspaceId, id),
          queryFn: () => api.request(ONE, { params: { workspaceId, messageId: id } }),
        })
        .then(feed.add, () => undefined);
    },
  });
}

/** Browsers offer `crypto.randomUUID` only over https and on localhost. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
