import { useNavigate } from '@tanstack/react-router';

/** Returns a function that closes the message and focuses its row. */
export function useCloseMessage(workspaceId: string): () => void {
  const navigate = useNavigate();
  return () => {
    // Reads the address, because the opened message may not be rendered yet.
    const [, messageId] = /\/messages\/([^/]+)$/.exec(window.location.pathname) ?? [];
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
