import { useNavigate } from '@tanstack/react-router';

/** Returns a function that closes the thread and focuses its row. */
export function useCloseThread(workspaceId: string, number: string): () => void {
  const navigate = useNavigate();
  return () => {
    const closing = navigate({ to: '/w/$workspaceId/conversations', params: { workspaceId } });
    void closing.then(() =>
      document
        .querySelector<HTMLElement>(`[data-conversation="${number}"] a`)
        ?.focus({ preventScroll: true }),
    );
  };
}
