import type { Role } from '@switchboard/core';
import { secretWorks } from '../api-keys/find-active-keys.ts';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { IDLE_DAYS } from '../sessions/session-store.ts';
import { runStatement } from '../run-statement.ts';

/** The sessions, keys and memberships that open connections depend on. */
export interface AccessQuery {
  sessionIds: readonly string[];
  /** With the version of the secret that the connection was opened with. */
  apiKeys: readonly { workspaceId: string; id: string; version: number }[];
  memberships: readonly { workspaceId: string; userId: string }[];
}

/** The sessions, keys and memberships of the query that are still valid. */
export interface ActiveAccess {
  sessionIds: ReadonlySet<string>;
  hasKey(id: string, version: number): boolean;
  /** Null if the user is not a member. */
  roleOf(workspaceId: string, userId: string): Role | null;
}

export type ReadActiveAccess = (query: AccessQuery) => Promise<ActiveAccess>;

// Unlike a request, an open connection does not count as a use of its session.
const SESSIONS = `
SELECT 'session' AS kind, id::text, NULL AS role FROM sessions
WHERE id = ANY($1::uuid[]) AND expires_at > now()
  AND last_seen_at > now() - interval '${IDLE_DAYS} days'`;

const KEYS_AND_MEMBERSHIPS = `
SELECT 'api_key' AS kind, k.id || '/' || q.version AS id, NULL AS role
FROM api_keys k JOIN unnest(:key_workspaces::uuid[], :keys::uuid[], :versions::int[]) AS q(workspace_id, id, version) USING (workspace_id, id)
WHERE k.revoked_at IS NULL AND ${secretWorks('q.version')}
UNION ALL
SELECT 'member', m.workspace_id || '/' || m.user_id, m.role::text
FROM members m JOIN unnest(:member_workspaces::uuid[], :users::uuid[]) AS q(workspace_id, user_id)
  USING (workspace_id, user_id)`;

interface Row {
  kind: 'session' | 'api_key' | 'member';
  id: string;
  role: Role | null;
}

const keysAndMemberships = ({ apiKeys, memberships }: AccessQuery) =>
  named(KEYS_AND_MEMBERSHIPS, {
    key_workspaces: apiKeys.map(({ workspaceId }) => workspaceId),
    keys: apiKeys.map(({ id }) => id),
    versions: apiKeys.map(({ version }) => version),
    member_workspaces: memberships.map(({ workspaceId }) => workspaceId),
    users: memberships.map(({ userId }) => userId),
  });

/** Creates the query that finds which of many sessions, keys and memberships have not ended. */
export function createReadActiveAccess({ pool }: Pick<Database, 'pool'>): ReadActiveAccess {
  return async function readActiveAccess(query) {
    // Two statements, because sessions and workspaces may be in different databases.
    const rows = [
      ...(await runStatement<Row>(pool, SESSIONS, [query.sessionIds])),
      ...(await runStatement<Row>(pool, ...keysAndMemberships(query))),
    ];
    const found = {
      session: new Map<string, Role | null>(),
      api_key: new Map<string, Role | null>(),
      member: new Map<string, Role | null>(),
    };
    for (const { kind, id, role } of rows) found[kind].set(id, role);
    return {
      sessionIds: new Set(found.session.keys()),
      hasKey: (id, version) => found.api_key.has(`${id}/${version}`),
      roleOf: (workspaceId, userId) => found.member.get(`${workspaceId}/${userId}`) ?? null,
    };
  };
}
