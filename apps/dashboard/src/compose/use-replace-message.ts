import { type BodyOf } from '@switchboard/client';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { ApiError } from '../api/api-error.ts';
import { useSendMessage } from './use-send-message.ts';

type SendMessageRequest = BodyOf<'POST /api/ui/workspaces/{workspaceId}/messages'>;

/**
 * Cancels a scheduled message, then sends another in its place. The new message is sent only after
 * the service has canceled the first one, so that never both are sent. A retry continues where the
 * last try ended.
 */
export function useReplaceMessage(workspaceId: string, messageId: string | undefined) {
  const api = useApi();
  const send = useSendMessage(workspaceId);
  const progress = useRef<'none' | 'requested' | 'canceled'>('none');

  async function cancel(id: string): Promise<void> {
    if (progress.current === 'canceled') return;
    const params = { workspaceId, messageId: id };
    const wasRequested = progress.current === 'requested';
    progress.current = 'requested';
    try {
      await api.request('POST /api/ui/workspaces/{workspaceId}/messages/{messageId}/cancel', {
        params,
      });
    } catch (error) {
      // The response to an earlier request may have been lost.
      const isOurs = wasRequested && error instanceof ApiError && error.code === 'invalid_state';
      const message = isOurs
        ? await api.request('GET /api/ui/workspaces/{workspaceId}/messages/{messageId}', { params })
        : null;
      if (message?.status !== 'canceled') throw error;
    }
    progress.current = 'canceled';
  }

  const replace = useMutation({
    mutationFn: async (request: SendMessageRequest) => {
      if (messageId !== undefined) await cancel(messageId);
      return send.mutateAsync(request);
    },
  });
  return { ...replace, isCanceled: replace.isError && progress.current === 'canceled' };
}
