/** Returns the paths of a resource in a workspace that sessions may use. */
export function forSessions<const Path extends `/${string}`>(path: Path) {
  return { session: `/api/ui/workspaces/{workspaceId}${path}` } as const;
}

/** Returns the paths of a resource in a workspace that API keys and sessions may use. */
export function forKeysAndSessions<const Path extends `/${string}`>(path: Path) {
  return { api_key: `/api${path}`, ...forSessions(path) } as const;
}
