import { useEffect } from 'react';

/** The key of requests whose text is in no draft while they are in flight. */
export const UNSENT = ['unsent'];

/**
 * While there is something unsent, the browser asks before it closes the page. It also asks before a reload, which keeps the
 * drafts, because the event does not distinguish the two.
 */
export function useUnsentWarning(isUnsent: boolean): void {
  useEffect(() => {
    if (!isUnsent) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsent]);
}
