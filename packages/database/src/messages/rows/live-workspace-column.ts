import { liveWorkspaceOf, modeOf } from '@switchboard/core';
import type { Columns } from '../../named-statement.ts';

/**
 * Null in live mode. Test mode also sends from the numbers of the workspace itself, so that a program needs only another
 * key.
 */
export const LIVE_WORKSPACE = {
  live_workspace_id: [
    'uuid',
    ({ workspaceId }) => (modeOf(workspaceId) === 'test' ? liveWorkspaceOf(workspaceId) : null),
  ],
} satisfies Columns<{ workspaceId: string }>;
