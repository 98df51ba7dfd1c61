import type { PageAnswer } from '@switchboard/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import type { Api } from '../api/create-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { workspacePath } from '../api/workspace-queries.ts';

const PAGE_SIZE = 50;

/** A page of one of the workspace's lists. */
export function useSettingsList<Item>(workspaceId: string, what: string, page = 1) {
  const api = useApi();
  return useQuery({
    queryKey: [...queryKeys.settings(workspaceId, what), page],
    queryFn: () =>
      api.get<PageAnswer<Item>>(
        `${workspacePath(workspaceId)}/${what}?page=${page}&limit=${PAGE_SIZE}`,
      ),
    placeholderData: keepPreviousData,
  });
}

/** A change of the workspace's settings; whatever shows them is asked for again afterwards. */
export function useSettingsChange<Variables, Answer>(
  workspaceId: string,
  change: (api: Api, path: string, variables: Variables) => Promise<Answer>,
) {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => change(api, workspacePath(workspaceId), variables),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.details(workspaceId) }),
        client.invalidateQueries({ queryKey: [...queryKeys.workspace(workspaceId), 'settings'] }),
      ]);
    },
  });
}
