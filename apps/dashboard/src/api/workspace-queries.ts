import { queryOptions } from '@tanstack/react-query';
import type { Api } from './create-api.ts';
import { loadCode } from './load-code.ts';
import { queryKeys } from './query-keys.ts';

export const meQuery = (api: Api) =>
  queryOptions({ queryKey: queryKeys.me, queryFn: () => api.request('GET /api/ui/me') });

/** Queries whether sign-up requires an invitation. It needs no session. */
export const signUpStateQuery = (api: Api) =>
  queryOptions({
    queryKey: queryKeys.signUpState,
    queryFn: () => api.request('GET /api/ui/users'),
  });

export const workspaceQuery = (api: Api, workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.details(workspaceId),
    queryFn: () => api.request('GET /api/ui/workspaces/{workspaceId}', { params: { workspaceId } }),
  });

/** Opens test mode. The first call for a workspace creates its test workspace. */
export const testWorkspaceQuery = (api: Api, workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.testWorkspace(workspaceId),
    queryFn: () =>
      api.request('POST /api/ui/workspaces/{workspaceId}/test-workspace', {
        params: { workspaceId },
      }),
    staleTime: Infinity,
  });

/** Queries whether the workspace has any message. */
export const anyMessageQuery = (api: Api, workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.anyMessage(workspaceId),
    queryFn: async () => {
      const { pagination } = await api.request('GET /api/ui/workspaces/{workspaceId}/messages', {
        params: { workspaceId },
        query: { limit: 1 },
      });
      return pagination.totalMessages > 0;
    },
  });

/** Queries one number of the workspace, which may have more than one page of numbers. */
export const numberQuery = (api: Api, workspaceId: string, number: string) =>
  queryOptions({
    queryKey: [...queryKeys.settings(workspaceId, 'numbers'), number],
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/numbers', {
        params: { workspaceId },
        query: { number },
      }),
  });

/** Queries the numbers of the workspace, at most 100. */
export const numbersQuery = (api: Api, workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.settings(workspaceId, 'numbers'),
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/numbers', {
        params: { workspaceId },
        query: { limit: 100 },
      }),
  });

/** Queries the saved views of the workspace, at most 100. */
export const savedViewsQuery = (api: Api, workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.settings(workspaceId, 'saved-views'),
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/saved-views', {
        params: { workspaceId },
        query: { limit: 100 },
      }),
  });

/** Queries the members of the workspace, at most 100. */
export const membersQuery = (api: Api, workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.settings(workspaceId, 'all-members'),
    queryFn: () =>
      api.request('GET /api/ui/workspaces/{workspaceId}/members', {
        params: { workspaceId },
        query: { limit: 100 },
      }),
  });

/** Queries the names of the API keys of the workspace, at most 100, revoked ones included. */
export const keyNamesQuery = (api: Api, workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.settings(workspaceId, 'key-names'),
    queryFn: async () => {
      const { data } = await api.request('GET /api/ui/workspaces/{workspaceId}/api-keys', {
        params: { workspaceId },
        query: { limit: 100 },
      });
      return data.map(({ id, name }) => ({ id, name }));
    },
  });

/** Queries the names of the provider accounts of the workspace. */
export const accountNamesQuery = (api: Api, workspaceId: string) =>
  queryOptions({
    queryKey: queryKeys.settings(workspaceId, 'account-names'),
    queryFn: async () => {
      const [{ data }, { nameAccounts }] = await Promise.all([
        api.request('GET /api/ui/workspaces/{workspaceId}/providers', {
          params: { workspaceId },
          query: { limit: 100 },
        }),
        loadCode(() => import('../settings/providers/name-accounts.ts')),
      ]);
      return nameAccounts(data);
    },
  });
