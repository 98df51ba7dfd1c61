/** Straight to the tables, past the service. */
export type Sql = (text: string, values: unknown[]) => Promise<unknown>;

/** Inserts API keys without the requests that would create them. */
export function insertApiKeys(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, last4, created_at)
     SELECT uuid_v7(now()), $1::uuid, 'Key ' || n, sha256(($1::text || n)::bytea), 'swb_', '0000', now()
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Inserts numbers, none of them the default. */
export function insertNumbers(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO phone_numbers (id, workspace_id, number, label, is_default, capabilities, created_at)
     SELECT uuid_v7(now()), $1, '+1444' || (1000000 + n), '', false, '{}', now()
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Inserts workspaces that the user owns. */
export function insertWorkspaces(sql: Sql, userId: string, count: number): Promise<unknown> {
  return sql(
    `WITH made AS (
       INSERT INTO workspaces (id, name, created_at)
       SELECT uuid_v7(now()), 'Workspace ' || n, now() FROM generate_series(1, $2::int) n
       RETURNING id
     )
     INSERT INTO members (workspace_id, user_id, role, created_at)
     SELECT id, $1, 'owner', now() FROM made`,
    [userId, count],
  );
}
