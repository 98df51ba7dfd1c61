import { useEffect } from 'react';
import * as strings from '#strings/ui';
import * as names from '#strings/names';
import { useUnread } from '../conversations/unread-context.tsx';

/**
 * Sets the title of the browser tab while the view is mounted: `(3) Messages · Switchboard`, with the
 * number of unread conversations in a workspace.
 */
export function useTitle(title: string): void {
  const unread = useUnread();
  useEffect(() => {
    document.title =
      unread === '' ? strings.pageTitle(title) : strings.unreadPageTitle({ unread, title });
    return () => {
      document.title = names.product;
    };
  }, [title, unread]);
}
