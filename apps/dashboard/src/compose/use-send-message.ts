import type { BodyOf } from '@switchboard/client';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '../api/api-context.tsx';

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
  const last = useRef({ request: '', key: '' });
  return useMutation({
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
    onSuccess: () => {
      // After a success, the same text again is a new message.
      last.current = { request: '', key: '' };
    },
  });
}

/** Browsers offer `crypto.randomUUID` only over https and on localhost. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
