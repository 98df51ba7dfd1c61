import type { Database } from '@switchboard/database';
import type { Finding } from './finding.ts';

const part = 'role';
const NAMES_MAX = 5;

interface Rights {
  role: string;
  isReadOnly: boolean;
  /** The schemas of the tables that the role may not use, or null if there are no tables yet. */
  closedSchemas: string[] | null;
  /** Tables and sequences that the role may not read and write. */
  closedTables: string[];
  mayCreate: boolean;
}

/**
 * Checks that the role may read and write every table. Uses the catalogs, which every role may read,
 * so that a missing privilege is not reported as the failure of a later statement.
 */
export async function checkRole({
  pool,
  schemas,
}: Pick<Database, 'pool' | 'schemas'>): Promise<Finding[]> {
  const { rows } = await pool.query<Rights>(
    `WITH schemas AS (
       SELECT n.oid, n.nspname AS name FROM pg_namespace n
       WHERE n.nspname = $1 AND EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid
         AND c.relname = '_prisma_migrations') OR n.nspname = $2
     ), closed AS (
       SELECT s.name || '.' || c.relname AS name
       FROM pg_class c JOIN schemas s ON s.oid = c.relnamespace
       WHERE CASE
         WHEN c.relkind = 'S' THEN NOT has_sequence_privilege(c.oid, 'USAGE')
         WHEN c.relkind NOT IN ('r', 'p') THEN false
         WHEN c.relname = '_prisma_migrations' THEN NOT has_table_privilege(c.oid, 'SELECT')
         ELSE NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
           AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))
       END
     )
     SELECT current_user AS role,
       current_setting('transaction_read_only')::bool AND NOT pg_is_in_recovery() AS "isReadOnly",
       (SELECT array_agg(name::text) FILTER (WHERE NOT has_schema_privilege(oid, 'USAGE'))
          FROM schemas) AS "closedSchemas",
       ARRAY(SELECT name FROM closed ORDER BY name) AS "closedTables",
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
         OR EXISTS (SELECT FROM schemas) AS "mayCreate"`,
    [schemas.own, schemas.queue],
  );
  const { role = '', isReadOnly, closedSchemas, closedTables = [], mayCreate } = rows[0] ?? {};
  const problems: string[] = [];
  if (isReadOnly === true) {
    problems.push(
      `Transactions of role ${role} are read-only: reset default_transaction_read_only for the role, the database and DATABASE_URL.`,
    );
  }
  if ((closedSchemas ?? []).length > 0) {
    problems.push(
      `Role ${role} may not use the schemas ${(closedSchemas ?? []).join(', ')}: GRANT USAGE ON SCHEMA, or make it the owner of the database.`,
    );
  }
  if (closedTables.length > 0) {
    const others = closedTables.length - NAMES_MAX;
    const names = closedTables.slice(0, NAMES_MAX).join(', ');
    problems.push(
      `Role ${role} may not read and write ${names}${others > 0 ? ` and ${others} more` : ''}: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES, and USAGE ON ALL SEQUENCES.`,
    );
  }
  if (mayCreate === false) {
    problems.push(
      `Role ${role} may not create tables: make it the owner of the database, or GRANT CREATE ON SCHEMA.`,
    );
  }
  return problems.length > 0
    ? problems.map((detail) => ({ result: 'problem', part, detail }))
    : [{ result: 'good', part, detail: `${role} may read and write.` }];
}
