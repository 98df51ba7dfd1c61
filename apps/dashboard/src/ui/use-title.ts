import { useEffect } from 'react';
import { useUnread } from '../conversations/unread-context.tsx';

/**
 * Sets the title of the browser tab while the view is mounted: `(3) Messages · Switchboard`, with the
 * number of unread conversations in a workspace.
 */
export function useTitle(title: string): void {
  const unread = useUnread();
  useEffect(() => {
    document.title = `${unread === '' ? '' : `(${unread}) `}${title} · Switchboard`;
    return () => {
      document.title = 'Switchboard';
    };
  }, [title, unread]);
}
