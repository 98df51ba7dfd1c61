import type { SavedReply } from '@switchboard/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';

const SHOWN = 8;

export interface SavedReplyChoice {
  /** Whether the text selects a saved reply, so that Enter does not send it. */
  isOpen: boolean;
  replies: readonly SavedReply[];
  isLoading: boolean;
  selected: number;
  listId: string;
  optionId(index: number): string;
  choose(reply: SavedReply): void;
  /** Handles the keys of the list. Returns whether it did. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/** A reply that begins with a slash selects a saved reply by the words after it. */
export function useSavedReplies(
  workspaceId: string,
  body: string,
  write: (body: string) => void,
): SavedReplyChoice {
  const api = useApi();
  const listId = useId();
  const [selected, setSelected] = useState(0);
  /** The text for which the user has closed the list. */
  const [dismissed, setDismissed] = useState<string | null>(null);
  const isOpen = /^\/[^\n]{0,60}$/.test(body) && dismissed !== body;
  const search = body.slice(1).trim();
  const { data, isPending, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.savedReplies(workspaceId), 'search', search],
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/saved-replies', {
        params: { workspaceId },
        query: { limit: SHOWN, ...(search !== '' && { search }) },
      }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const replies = data?.data ?? [];
  const at = Math.min(selected, Math.max(0, replies.length - 1));

  function choose(reply: SavedReply): void {
    setSelected(0);
    write(reply.body);
  }

  return {
    isOpen,
    replies,
    isLoading: isPending || isPlaceholderData,
    selected: at,
    listId,
    optionId: (index) => `${listId}-${index}`,
    choose,
    onKeyDown(event) {
      if (!isOpen || event.nativeEvent.isComposing) return false;
      const reply = replies[at];
      switch (event.key) {
        case 'ArrowDown':
          setSelected((at + 1) % Math.max(1, replies.length));
          break;
        case 'ArrowUp':
          setSelected((at + replies.length - 1) % Math.max(1, replies.length));
          break;
        case 'Enter':
        case 'Tab':
          // Without a result, Tab leaves the field, and Enter sends nothing while results load.
          if (isPending || isPlaceholderData) break;
          if (reply === undefined) return false;
          choose(reply);
          break;
        case 'Escape':
          setDismissed(body);
          break;
        default:
          setSelected(0);
          return false;
      }
      event.preventDefault();
      return true;
    },
  };
}
