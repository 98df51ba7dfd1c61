import type { Me, MessageList, SignUpState, Workspace } from '@switchboard/contracts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from './create-api.ts';
import { queryKeys } from './query-keys.ts';

export const workspacePath = (id: string): string => `/api/ui/workspaces/${encodeURIComponent(id)}`;

export const meQuery = (api: Api) =>
  queryOptions({ queryKey: queryKeys.me, queryFn: () => api.get<Me>('/api/ui/me') });

/** Queries whether sign-up requires an invitation. It needs no session. */
export const signUpStateQuery = (api: Api) =>
  queryOptions({
    queryKey: queryKeys.signUpState,
    queryFn: () => api.get<SignUpState>('/api/ui/users'),
  });

export const workspaceQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: queryKeys.details(id),
    queryFn: () => api.get<Workspace>(workspacePath(id)),
  });

/** Queries whether the workspace has any message. */
export const anyMessageQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: queryKeys.anyMessage(id),
    queryFn: async () => {
      const { pagination } = await api.get<MessageList>(`${workspacePath(id)}/messages?limit=1`);
      return pagination.totalMessages > 0;
    },
  });
