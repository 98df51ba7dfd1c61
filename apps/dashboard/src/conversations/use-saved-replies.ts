import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as names from '#strings/names';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { type Choice, useChoice } from '../ui/use-choice.ts';

const SHOWN = 8;

/** Offers the saved replies that match the words after the slash with which a reply begins. */
export function useSavedReplies(
  workspaceId: string,
  body: string,
  write: (body: string) => void,
): Choice {
  const api = useApi();
  const isOpen = /^\/[^\n]{0,60}$/.test(body);
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
  return useChoice({
    label: names.savedReplies,
    isOpen,
    text: body,
    isLoading: isPending || isPlaceholderData,
    items: (data?.data ?? []).map(({ id, name, body: about }) => ({ id, title: name, about })),
    onChoose: ({ about }) => write(about),
  });
}
