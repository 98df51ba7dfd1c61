import type { SendMessageAnswer, SendMessageRequest } from '@switchboard/contracts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { workspacePath } from '../api/workspace-queries.ts';

/**
 * Sends a message. The same text tried again carries the same Idempotency-Key: if the answer to the
 * first try was lost, the second one gets it, and no second message is sent.
 */
export function useSendMessage(
  workspaceId: string,
  options: {
    /** Called even when the view that sent it is gone. */
    onError?(request: SendMessageRequest): void;
  } = {},
) {
  const api = useApi();
  const last = useRef({ request: '', key: '' });
  return useMutation({
    mutationFn: (request: SendMessageRequest) => {
      const text = JSON.stringify(request);
      if (last.current.request !== text) last.current = { request: text, key: createKey() };
      return api.post<SendMessageAnswer>(`${workspacePath(workspaceId)}/messages`, request, {
        'idempotency-key': last.current.key,
      });
    },
    onError: (_error, request) => options.onError?.(request),
    onSuccess: () => {
      // The same words again are meant as a second message.
      last.current = { request: '', key: '' };
    },
  });
}

/** `crypto.randomUUID` is there over https and on localhost only. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
