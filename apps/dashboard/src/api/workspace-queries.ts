import { queryOptions } from '@tanstack/react-query';
import type { Api } from './create-api.ts';
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
