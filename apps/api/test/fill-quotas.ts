/** Runs SQL directly on the database, without the service. */
export type Sql = (text: string, values: unknown[]) => Promise<unknown>;

/** Inserts API keys directly, without API requests. */
export function insertApiKeys(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, last4, created_at)
     SELECT uuid_v7(now()), $1::uuid, 'Key ' || n, sha256(($1::text || n)::bytea), 'swb_', '0000', now()
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Inserts requests to erase people that wait for a worker. Their number is the same, and no message has it. */
export function insertErasures(
  sql: Sql,
  workspaceId: string,
  count: number,
  firstId: string | null = null,
): Promise<unknown> {
  return sql(
    `INSERT INTO erasures (id, workspace_id, number_hash, numbers, before_id, next_step_at, total)
     SELECT CASE n WHEN 1 THEN COALESCE($3::uuid, uuid_v7(now())) ELSE uuid_v7(now()) END, $1::uuid, 'hash ' || n,
       '{+15550000000}', uuid_v7(now()), now(), 0
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count, firstId],
  );
}

/** Inserts numbers. None of them is the default. */
export function insertNumbers(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO phone_numbers (id, workspace_id, number, label, is_default, capabilities, created_at)
     SELECT uuid_v7(now()), $1, '+1444' || (1000000 + n), '', false, '{}', now()
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Inserts provider accounts. None of them is the default. */
export function insertProviders(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       secret_last4, created_at, updated_at)
     SELECT uuid_v7(now()), $1, 'sandbox', 'sandbox-' || n, '', '', now(), now() FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Inserts members, each with a new user. */
export function insertMembers(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `WITH made AS (
       INSERT INTO users (id, email, name, password_hash, created_at)
       SELECT uuid_v7(now()), 'member-' || n || '@' || $1::text, 'Member', '', now()
       FROM generate_series(1, $2::int) n RETURNING id
     )
     INSERT INTO members (workspace_id, user_id, role, created_at)
     SELECT $1::uuid, id, 'member', now() FROM made`,
    [workspaceId, count],
  );
}

/** Inserts rows of uploaded files without storing the files. */
export function insertMediaFiles(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO media_files (id, workspace_id, name, content_type, size, created_at, stored_at, check_at)
     SELECT uuid_v7(now()), $1::uuid, '', 'image/png', 1, now(), now(), now() + interval '1 day'
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Inserts open invites of the user. */
export function insertInvites(
  sql: Sql,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  count: number,
): Promise<unknown> {
  return sql(
    `INSERT INTO invites (workspace_id, email, role, token_hash, invited_by, created_at, expires_at)
     SELECT $1::uuid, 'guest-' || n || '@example.com', 'member', sha256(($1::text || n)::bytea), $2,
       now(), now() + interval '1 day'
     FROM generate_series(1, $3::int) n`,
    [workspaceId, userId, count],
  );
}

/** Inserts webhook endpoints. */
export function insertWebhookEndpoints(
  sql: Sql,
  workspaceId: string,
  count: number,
): Promise<unknown> {
  return sql(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, sealed_secret, event_types, position, created_at, updated_at)
     SELECT uuid_v7(now()), $1, 'https://example.com/' || n, 'sealed', '{}', '{}', now(), now()
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Inserts opt-outs like those that users add. */
export function insertOptOuts(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO opt_outs (workspace_id, number, reason, created_at, is_added)
     SELECT $1, '+1666' || (1000000 + n), 'manual', now(), true FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Inserts contacts without a name. */
export function insertContacts(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO contacts (id, workspace_id, number, name, search_text, created_at, updated_at)
     SELECT uuid_v7(now()), $1, '+1777' || (1000000 + n), '', '', now(), now()
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Gives as many contacts as necessary 20 fields each, with names that no other contact has. */
export function addFieldNames(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `WITH chosen AS (
       SELECT id, 20 * (row_number() OVER (ORDER BY id) - 1) AS before FROM contacts
       WHERE workspace_id = $1 ORDER BY id LIMIT ceil($2::int / 20.0)
     )
     UPDATE contacts SET fields = (
       SELECT jsonb_object_agg('Field ' || n, 'Value')
       FROM generate_series(before + 1, least(before + 20, $2::int)) n
     ) FROM chosen WHERE contacts.id = chosen.id`,
    [workspaceId, count],
  );
}

export function insertSavedReplies(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO saved_replies (id, workspace_id, name, body, created_at, updated_at)
     SELECT uuid_v7(now()), $1, 'Reply ' || n, 'Text', now(), now() FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

export function insertSavedViews(sql: Sql, workspaceId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO saved_views (id, workspace_id, name, filters, created_at, updated_at)
     SELECT uuid_v7(now()), $1, 'View ' || n, '{"status":"failed"}', now(), now()
     FROM generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
}

/** Inserts a received message and notes about its conversation. */
export function insertNotes(
  sql: Sql,
  { workspaceId, number }: { workspaceId: string; number: string },
  count: number,
): Promise<unknown> {
  return sql(
    `WITH message AS (
       INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
         created_at, updated_at, dispatch)
       VALUES (uuid_v7(now()), $1, 'inbound', '+15550000000', $2, 'Hello', 1, 'received', now(), now(),
         'accepted')
     )
     INSERT INTO notes (id, workspace_id, number, body, created_at)
     SELECT uuid_v7(now()), $1, $2, 'Note', now() FROM generate_series(1, $3::int)`,
    [workspaceId, number, count],
  );
}

/** Inserts sessions. Each was last used one second before the previous one. */
export function insertSessions(sql: Sql, userId: string, count: number): Promise<unknown> {
  return sql(
    `INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at)
     SELECT uuid_v7(now()), $1::uuid, sha256(($1::text || n)::bytea), now(),
       now() - n * interval '1 second', now() + interval '1 day'
     FROM generate_series(1, $2::int) n`,
    [userId, count],
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
