import { useNavigate } from '@tanstack/react-router';

/** Back to the list alone, with the focus on the row that was open. */
export function useCloseMessage(workspaceId: string): () => void {
  const navigate = useNavigate();
  return () => {
    // By the address, which is ahead of what is drawn: a message may be on its way to being open.
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
