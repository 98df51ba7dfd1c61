import type { Client } from 'pg';

/** Users and their sessions, which belong to no workspace and may be in another database than the workspaces. */
const ACCOUNTS = new Set([
  'users',
  'sessions',
  'account_tokens',
  'second_factors',
  'recovery_codes',
  'account_changes',
  'user_identities',
  'second_factors',
  'recovery_codes',
]);

/** Tables of a database with workspaces, a cell, whose rows never move to another one. */
const OF_CELL = new Set([
  // The epoch of this database's event numbers.
  'event_epoch',
  // The processes that use this database.
  'running_processes',
  // Counters of windows of a few minutes.
  'rate_limits',
  // Mails that wait to be sent, for a day at most.
  'mails',
]);

/** Its id is the workspace's. */
const ROOT = 'workspaces';

/** Unique indexes without a workspace. They are unique in a cell only. */
const UNIQUE_IN_CELL = new Set([
  // Requests with these credentials name no workspace.
  'api_keys_key_hash_key',
  'replaced_keys_key_hash_key',
  'invites_token_hash_key',
  'invites_mail_token_hash_key',
  // Provider webhooks and signed links contain only this id.
  'provider_accounts_id_key',
  'media_files_id_key',
  // Workspaces with the same account at a vendor share its identifiers, and are in one cell.
  'provider_sids_pkey',
]);

const OURS = `n.nspname = 'public' AND c.relname NOT LIKE '\\_%'`;
const FROM_CLASS = `pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace`;

const columnsOf = (keys: string, relation: string): string => `
ARRAY(SELECT a.attname::text FROM unnest(${keys}) WITH ORDINALITY AS k(attnum, at)
  JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.attnum ORDER BY k.at)`;

/** Returns why rows of a workspace could not move to another database, from PostgreSQL's catalog. */
export async function findKeyViolations(client: Client): Promise<string[]> {
  const read = async <Row>(sql: string) => (await client.query(sql)).rows as Row[];
  const violations: string[] = [];
  const isOfWorkspace = (table: string): boolean =>
    !ACCOUNTS.has(table) && !OF_CELL.has(table) && table !== ROOT;

  const tables = await read<{ name: string; isNotNull: boolean; isLogged: boolean }>(
    `SELECT c.relname AS name, c.relpersistence = 'p' AS "isLogged",
       COALESCE((SELECT a.attnotnull FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attname = 'workspace_id'), false) AS "isNotNull"
     FROM ${FROM_CLASS} WHERE ${OURS} AND c.relkind IN ('r', 'p')`,
  );
  for (const { name, isNotNull, isLogged } of tables) {
    if (!isOfWorkspace(name)) continue;
    if (!isNotNull) violations.push(`${name} has no required workspace_id`);
    if (!isLogged) violations.push(`${name} is unlogged`);
  }

  const indexes = await read<{
    name: string;
    table: string;
    isPrimary: boolean;
    columns: string[];
  }>(
    `SELECT i.relname AS name, c.relname AS table, x.indisprimary AS "isPrimary",
       ${columnsOf('x.indkey', 'c.oid')} AS columns
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE ${OURS} AND x.indisunique`,
  );
  const withKey = new Set(indexes.filter(({ isPrimary }) => isPrimary).map(({ table }) => table));
  for (const { name } of tables)
    if (!withKey.has(name)) violations.push(`${name} has no primary key`);
  for (const { name, table, columns } of indexes) {
    if (!isOfWorkspace(table) || columns[0] === 'workspace_id' || UNIQUE_IN_CELL.has(name))
      continue;
    violations.push(`${name} of ${table} does not begin with workspace_id`);
  }

  const references = await read<{
    table: string;
    to: string;
    columns: string[];
    toColumns: string[];
  }>(
    `SELECT c.relname AS table, t.relname AS "to", ${columnsOf('k.conkey', 'c.oid')} AS columns,
       ${columnsOf('k.confkey', 't.oid')} AS "toColumns"
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_class t ON t.oid = k.confrelid
     WHERE ${OURS} AND k.contype = 'f'`,
  );
  for (const { table, to, columns, toColumns } of references) {
    const name = `the reference of ${table} to ${to}`;
    if (!isOfWorkspace(table)) {
      if (isOfWorkspace(to) || to === ROOT) violations.push(`${name} leaves its database`);
    } else if (isOfWorkspace(to)) {
      if (columns[0] !== 'workspace_id' || toColumns[0] !== 'workspace_id')
        violations.push(`${name} does not begin with workspace_id`);
    } else if (to === ROOT) {
      if (columns[0] !== 'workspace_id') violations.push(`${name} is not by workspace_id`);
    } else if (to !== 'users') {
      // A cell has a copy of the users.
      violations.push(`${name} leaves its database`);
    }
  }

  const others = await read<{ violation: string }>(
    `SELECT c.relname || ' is a sequence' AS violation FROM ${FROM_CLASS}
     WHERE ${OURS} AND c.relkind = 'S'
     UNION ALL
     SELECT c.relname || ' inherits' FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE ${OURS} AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     UNION ALL
     -- Rows that replication writes do not fire triggers in the default mode.
     SELECT t.tgname || ' of ' || c.relname || ' also fires for replicated rows'
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE ${OURS} AND NOT t.tgisinternal AND t.tgenabled <> 'O'`,
  );
  return [...violations, ...others.map(({ violation }) => violation)];
}
