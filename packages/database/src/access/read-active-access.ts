import type { Database } from '../database.ts';
import { IDLE_DAYS } from '../sessions/session-store.ts';
import { runStatement } from '../run-statement.ts';

/** The sessions, keys and memberships that open connections depend on. */
export interface AccessQuery {
  sessionIds: readonly string[];
  apiKeys: readonly { workspaceId: string; id: string }[];
  memberships: readonly { workspaceId: string; userId: string }[];
}

/** The sessions, keys and memberships of the query that are still valid. */
export interface ActiveAccess {
  sessionIds: ReadonlySet<string>;
  apiKeyIds: ReadonlySet<string>;
  hasMember(workspaceId: string, userId: string): boolean;
}

export type ReadActiveAccess = (query: AccessQuery) => Promise<ActiveAccess>;

// Unlike a request, an open connection does not count as a use of its session.
const SESSIONS = `
SELECT 'session' AS kind, id::text FROM sessions
WHERE id = ANY($1::uuid[]) AND expires_at > now()
  AND last_seen_at > now() - interval '${IDLE_DAYS} days'`;

const KEYS_AND_MEMBERSHIPS = `
SELECT 'api_key' AS kind, k.id::text
FROM api_keys k JOIN unnest($1::uuid[], $2::uuid[]) AS q(workspace_id, id) USING (workspace_id, id)
WHERE k.revoked_at IS NULL
UNION ALL
SELECT 'member', m.workspace_id || '/' || m.user_id
FROM members m JOIN unnest($3::uuid[], $4::uuid[]) AS q(workspace_id, user_id)
  USING (workspace_id, user_id)`;

interface Row {
  kind: 'session' | 'api_key' | 'member';
  id: string;
}

/** Creates the query that finds which of many sessions, keys and memberships have not ended. */
export function createReadActiveAccess({ pool }: Pick<Database, 'pool'>): ReadActiveAccess {
  return async function readActiveAccess(query) {
    // Two statements, because sessions and workspaces may be in different databases.
    const rows = [
      ...(await runStatement<Row>(pool, SESSIONS, [query.sessionIds])),
      ...(await runStatement<Row>(pool, KEYS_AND_MEMBERSHIPS, [
        query.apiKeys.map((key) => key.workspaceId),
        query.apiKeys.map((key) => key.id),
        query.memberships.map((membership) => membership.workspaceId),
        query.memberships.map((membership) => membership.userId),
      ])),
    ];
    const found = {
      session: new Set<string>(),
      api_key: new Set<string>(),
      member: new Set<string>(),
    };
    for (const { kind, id } of rows) found[kind].add(id);
    return {
      sessionIds: found.session,
      apiKeyIds: found.api_key,
      hasMember: (workspaceId, userId) => found.member.has(`${workspaceId}/${userId}`),
    };
  };
}
