import { useNavigate } from '@tanstack/react-router';

/** Back to the list alone, with the focus on the row that was open. */
export function useCloseMessage(workspaceId: string, messageId: string | undefined): () => void {
  const navigate = useNavigate();
  return () => {
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
