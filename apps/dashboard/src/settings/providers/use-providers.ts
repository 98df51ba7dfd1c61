import { useSettingsList } from '../use-settings.ts';

const LIVE_EVERY_MS = 15_000;

/**
 * Queries all provider accounts of a workspace. A quota keeps them on one page. If `isLive`, their
 * states are polled.
 */
export function useProviders(workspaceId: string, { isLive = false } = {}) {
  return useSettingsList(
    workspaceId,
    'providers',
    1,
    (api, options) => api.request('GET /api/ui/workspaces/{workspaceId}/providers', options),
    isLive ? { refetchInterval: LIVE_EVERY_MS } : {},
  );
}
