import type { Database } from '../database.ts';
import { IDLE_DAYS } from '../sessions/session-store.ts';
import { runStatement } from '../run-statement.ts';

/** The sessions, keys and memberships that open connections depend on. */
export interface AccessQuery {
  sessionIds: readonly string[];
  apiKeyIds: readonly string[];
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
const SQL = `
SELECT 'session' AS kind, id::text FROM sessions
WHERE id = ANY($1::uuid[]) AND expires_at > now()
  AND last_seen_at > now() - interval '${IDLE_DAYS} days'
UNION ALL
SELECT 'api_key', id::text FROM api_keys WHERE id = ANY($2::uuid[]) AND revoked_at IS NULL
UNION ALL
SELECT 'member', m.workspace_id || '/' || m.user_id
FROM members m JOIN unnest($3::uuid[], $4::uuid[]) AS q(workspace_id, user_id)
  USING (workspace_id, user_id)`;

/** Creates the query that finds which of many sessions, keys and memberships have not ended. */
export function createReadActiveAccess({ pool }: Pick<Database, 'pool'>): ReadActiveAccess {
  return async function readActiveAccess(query) {
    const rows = await runStatement<{ kind: 'session' | 'api_key' | 'member'; id: string }>(
      pool,
      SQL,
      [
        query.sessionIds,
        query.apiKeyIds,
        query.memberships.map((membership) => membership.workspaceId),
        query.memberships.map((membership) => membership.userId),
      ],
    );
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
