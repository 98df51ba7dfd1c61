import { modeOf } from '@switchboard/contracts';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import * as strings from '#strings/ui';
import * as names from '#strings/names';
import { useUnread } from '../conversations/unread-context.tsx';

/**
 * Sets the title of the browser tab while the view is mounted: `(3) Messages · Switchboard`, with the
 * number of unread conversations in a workspace, and with the mode if it is test mode.
 */
export function useTitle(view: string): void {
  const { workspaceId } = useParams({ strict: false });
  const isTest = workspaceId !== undefined && modeOf(workspaceId) === 'test';
  const title = isTest ? strings.titleInTestMode(view) : view;
  const unread = useUnread();
  useEffect(() => {
    document.title =
      unread === '' ? strings.pageTitle(title) : strings.unreadPageTitle({ unread, title });
    return () => {
      document.title = names.product;
    };
  }, [title, unread]);
}
