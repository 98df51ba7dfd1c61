/** `live`: messages reach people. `test`: the service simulates the provider in its own process. */
export const MODES = ['live', 'test'] as const;

export type Mode = (typeof MODES)[number];

/** Where a UUID has its version: 7 in the id of a workspace, 8 in the id of its test workspace (RFC 9562). */
const VERSION_AT = 14;
const LIVE = '7';
const TEST = '8';

/**
 * Returns the mode of everything that a workspace has. The data of test mode is in a workspace of its own, the test
 * workspace, so that it is separate wherever workspaces are.
 */
export function modeOf(workspaceId: string): Mode {
  return workspaceId[VERSION_AT] === TEST ? 'test' : 'live';
}

/** Returns the id of the test workspace that belongs to a workspace; the id itself if it is one. */
export const testWorkspaceOf = (workspaceId: string): string => withVersion(workspaceId, TEST);

/** Returns the id of the workspace to which a test workspace belongs; the id itself if it is no test workspace. */
export const liveWorkspaceOf = (workspaceId: string): string =>
  modeOf(workspaceId) === 'test' ? withVersion(workspaceId, LIVE) : workspaceId;

export const workspaceInMode = (workspaceId: string, mode: Mode): string =>
  mode === 'test' ? testWorkspaceOf(workspaceId) : liveWorkspaceOf(workspaceId);

const withVersion = (id: string, version: string): string =>
  id.slice(0, VERSION_AT) + version + id.slice(VERSION_AT + 1);
