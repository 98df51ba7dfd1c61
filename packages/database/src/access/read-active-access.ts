import { type Role, liveWorkspaceOf } from '@switchboard/core';
import { secretWorks } from '../api-keys/find-active-keys.ts';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { IDLE_DAYS, MEETS_SECOND_FACTOR, USES_GROUPS } from '../sessions/session-store.ts';
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
  /**
   * Null if the user is not a member, lacks the second factor that the workspace requires, or is a member only by a group
   * and has not signed in by single sign-on.
   */
  roleOf(of: { workspaceId: string; userId: string; sessionId: string }): Role | null;
}

export type ReadActiveAccess = (query: AccessQuery) => Promise<ActiveAccess>;

// Unlike a request, an open connection does not count as a use of its session.
const SESSIONS = `
SELECT 'session' AS kind, s.id::text, NULL AS role, ${MEETS_SECOND_FACTOR} AS secure, ${USES_GROUPS} AS by_group
FROM sessions s LEFT JOIN second_factors f ON f.user_id = s.user_id
WHERE s.id = ANY($1::uuid[]) AND s.expires_at > now()
  AND s.last_seen_at > now() - interval '${IDLE_DAYS} days'`;

const KEYS_AND_MEMBERSHIPS = `
SELECT 'api_key' AS kind, k.id || '/' || q.version AS id, NULL AS role, false AS secure, false AS by_group
FROM api_keys k JOIN unnest(:key_workspaces::uuid[], :keys::uuid[], :versions::int[]) AS q(workspace_id, id, version) USING (workspace_id, id)
WHERE k.revoked_at IS NULL AND ${secretWorks('q.version')}
UNION ALL
SELECT 'member', m.workspace_id || '/' || m.user_id, m.role::text, w.require_second_factor, m.is_from_group
FROM members m JOIN workspaces w ON w.id = m.workspace_id
  JOIN unnest(:member_workspaces::uuid[], :users::uuid[]) AS q(workspace_id, user_id)
  USING (workspace_id, user_id)`;

interface Row {
  kind: 'session' | 'api_key' | 'member';
  id: string;
  role: Role | null;
  /** Of a session: whether it meets the rule of a second factor. Of a membership: whether the workspace has this rule. */
  secure: boolean;
  /** Of a session: whether memberships that groups gave count in it. Of a membership: whether a group gave it. */
  by_group: boolean;
}

const keysAndMemberships = ({ apiKeys, memberships }: AccessQuery) =>
  named(KEYS_AND_MEMBERSHIPS, {
    key_workspaces: apiKeys.map(({ workspaceId }) => workspaceId),
    keys: apiKeys.map(({ id }) => id),
    versions: apiKeys.map(({ version }) => version),
    member_workspaces: memberships.map(({ workspaceId }) => liveWorkspaceOf(workspaceId)),
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
      session: new Map<string, Row>(),
      api_key: new Map<string, Row>(),
      member: new Map<string, Row>(),
    };
    for (const row of rows) found[row.kind].set(row.id, row);
    return {
      sessionIds: new Set(found.session.keys()),
      hasKey: (id, version) => found.api_key.has(`${id}/${version}`),
      roleOf({ workspaceId, userId, sessionId }) {
        const member = found.member.get(`${liveWorkspaceOf(workspaceId)}/${userId}`);
        if (member === undefined) return null;
        const session = found.session.get(sessionId);
        if (member.secure && session?.secure !== true) return null;
        return member.by_group && session?.by_group !== true ? null : member.role;
      },
    };
  };
}
