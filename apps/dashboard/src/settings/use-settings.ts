import type { PageResponse } from '@switchboard/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import type { Api } from '../api/create-api.ts';
import { queryKeys } from '../api/query-keys.ts';

const PAGE_SIZE = 50;

/** Queries one page of a list in the workspace's settings. */
export function useSettingsList<Item>(
  workspaceId: string,
  what: string,
  page: number,
  fetchPage: (
    api: Api,
    options: { params: { workspaceId: string }; query: { page: number; limit: number } },
  ) => Promise<PageResponse<Item>>,
  live: { refetchInterval?: number } = {},
) {
  const api = useApi();
  return useQuery({
    queryKey: [...queryKeys.settings(workspaceId, what), page],
    queryFn: () => fetchPage(api, { params: { workspaceId }, query: { page, limit: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
    ...live,
  });
}

/** Changes a setting of the workspace, then refetches the queries that show settings. */
export function useSettingsChange<Variables, Result>(
  workspaceId: string,
  change: (api: Api, variables: Variables) => Promise<Result>,
) {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => change(api, variables),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.details(workspaceId) }),
        client.invalidateQueries({ queryKey: [...queryKeys.workspace(workspaceId), 'settings'] }),
      ]);
    },
  });
}
