import { useNavigate } from '@tanstack/react-router';
import { readOpenId } from '../shell/read-open-id.ts';

/** Returns a function that closes the message and focuses its row. */
export function useCloseMessage(workspaceId: string): () => void {
  const navigate = useNavigate();
  return () => {
    const messageId = readOpenId('messages');
    if (messageId === undefined) return;
    const closing = navigate({
      to: '/w/$workspaceId/messages',
      params: { workspaceId },
      search: true,
    });
    void closing.then(() =>
      document
        .querySelector<HTMLElement>(`[data-message="${messageId}"] a`)
        ?.focus({ preventScroll: true }),
    );
  };
}
