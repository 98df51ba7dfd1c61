import type { Client } from 'pg';

/** The parts of a schema on which a release depends, from PostgreSQL's catalog. */
export interface Catalog {
  /** The file of each table. If it differs, every row was rewritten. */
  tables: Map<string, string>;
  /** By table and column. */
  columns: Map<string, Column>;
  /** By name, including the indexes of constraints. */
  indexes: Map<string, Index>;
  /** By table and name. Only constraints that are valid for existing rows. */
  constraints: Map<string, { table: string; type: string }>;
}

export interface Index {
  table: string;
  unique: boolean;
  /** The predicate; null for an index on all rows. */
  where: string | null;
  columns: string[];
}

export interface Column {
  table: string;
  type: string;
  notNull: boolean;
  hasDefault: boolean;
}

const OURS = `n.nspname = 'public' AND c.relname NOT LIKE '\\_%'`;

export async function readCatalog(client: Client): Promise<Catalog> {
  const read = async <Row>(sql: string) => (await client.query(sql)).rows as Row[];
  const tables = await read<{ name: string; file: string }>(
    `SELECT c.relname AS name, pg_relation_filenode(c.oid)::text AS file
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE ${OURS} AND c.relkind = 'r'`,
  );
  const columns = await read<Column & { name: string }>(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
            a.attnotnull AS "notNull", (a.atthasdef OR a.attidentity <> '') AS "hasDefault"
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE ${OURS} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  const indexes = await read<Index & { name: string }>(
    `SELECT i.relname AS name, c.relname AS table, x.indisunique AS unique,
            pg_get_expr(x.indpred, x.indrelid) AS where,
            ARRAY(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum = ANY(x.indkey)) AS columns
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE ${OURS}`,
  );
  // PostgreSQL 18 also lists NOT NULL here, but it is a property of the column.
  const constraints = await read<{ name: string; table: string; type: string }>(
    `SELECT k.conname AS name, c.relname AS table, k.contype AS type
       FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE ${OURS} AND k.convalidated AND k.contype IN ('c', 'f', 'x')`,
  );
  return {
    tables: new Map(tables.map(({ name, file }) => [name, file])),
    columns: new Map(columns.map(({ name, ...column }) => [`${column.table}.${name}`, column])),
    indexes: new Map(indexes.map(({ name, ...index }) => [name, index])),
    constraints: new Map(
      constraints.map(({ name, ...constraint }) => [`${constraint.table}.${name}`, constraint]),
    ),
  };
}
