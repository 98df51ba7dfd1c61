import type { Contact, ContactList } from '@switchboard/contracts';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import type { Api } from '../api/create-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useContactDirectory } from './contact-context.tsx';

const PAGE_SIZE = 50;

/** Queries the contacts that match a search, page by page. */
export function useContacts(workspaceId: string, search: string) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: [...queryKeys.contacts(workspaceId), search],
    queryFn: ({ pageParam: after }) =>
      api.request('GET /api/ui/workspaces/{workspaceId}/contacts', {
        params: { workspaceId },
        query: { limit: PAGE_SIZE, ...(search !== '' && { search }), ...(after && { after }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }: ContactList) => next,
    placeholderData: keepPreviousData,
  });
}

/** Changes contacts, then shows the change in every view. */
export function useContactChange<Variables, Result>(
  workspaceId: string,
  change: (api: Api, variables: Variables) => Promise<Result>,
) {
  const api = useApi();
  const client = useQueryClient();
  const directory = useContactDirectory();
  return useMutation({
    mutationFn: (variables: Variables) => change(api, variables),
    onSuccess: async (response) => {
      if (isContact(response)) directory.put(response);
      directory.refresh();
      await client.invalidateQueries({ queryKey: queryKeys.contacts(workspaceId) });
    },
  });
}

function isContact(response: unknown): response is Contact {
  return typeof response === 'object' && response !== null && 'number' in response;
}
