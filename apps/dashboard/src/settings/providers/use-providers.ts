import { useSettingsList } from '../use-settings.ts';

/** Queries all provider accounts of a workspace. A quota keeps them on one page. */
export function useProviders(workspaceId: string) {
  return useSettingsList(workspaceId, 'providers', 1, (api, options) =>
    api.request('GET /api/ui/workspaces/{workspaceId}/providers', options),
  );
}
