/**
 * The accounts that need a session for each call, and those of them that this process may call. Only the
 * worker with a session claims the account's messages and takes its probes.
 */
export interface SessionClaims {
  /** The types of providers whose adapters have sessions. */
  types: readonly string[];
  providerIds: readonly string[];
}

export const NO_SESSIONS: SessionClaims = { types: [], providerIds: [] };

/** Returns the condition that this process may call the account `p`; true without an account. */
export function isCallable(types: string, providerIds: string): string {
  return `(p.type = ANY(${types}) AND p.id <> ALL(${providerIds})) IS NOT TRUE`;
}
