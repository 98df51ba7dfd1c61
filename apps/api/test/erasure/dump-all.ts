import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RedisServer } from '@switchboard/testing';
import { type Service, sendRaw } from '../start-service.ts';

/** The rows of each table, as texts. */
export type Dump = ReadonlyMap<string, string>;

/** Reads every table of the database, in all schemas but those of PostgreSQL. */
export async function dumpDatabase({ sql }: Pick<Service, 'sql'>): Promise<Dump> {
  const tables = await sql<{ name: string }>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname !~ '^(pg_|information_schema)' ORDER BY 1`);
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
    dump.set(name.replace(/^public\./, ''), rows.map(({ row }) => row).join('\n'));
  }
  return dump;
}

/** Lists the tables that can hold a text: a column of a text, of JSON, of words or of bytes. */
export async function listTextTables({ sql }: Pick<Service, 'sql'>): Promise<string[]> {
  const rows = await sql<{ name: string }>(`
    SELECT DISTINCT c.relname AS name FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
      AND format_type(a.atttypid, NULL) IN ('text', 'text[]', 'character varying', 'jsonb', 'json', 'tsvector', 'bytea')
    ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** Returns everything that a Redis server stores. Its setting `rdbcompression` must be `no`. */
export async function dumpRedis({ port }: RedisServer): Promise<string> {
  const response = await sendRaw(`http://127.0.0.1:${port}`, [
    'SAVE\r\nCONFIG GET dir\r\nCONFIG GET dbfilename\r\nQUIT\r\n',
  ]);
  const words = response.split('\r\n');
  const valueOf = (name: string) => words[words.indexOf(name) + 2] ?? '';
  return (await readFile(join(valueOf('dir'), valueOf('dbfilename')))).toString('latin1');
}

/** Lists the tables with one of the texts, with the texts that they have. */
export function findTexts(dump: Dump, texts: readonly string[]): Record<string, string[]> {
  const found = [...dump].map(([name, rows]): [string, string[]] => {
    const folded = rows.toLowerCase();
    return [name, texts.filter((text) => folded.includes(text.toLowerCase()))];
  });
  return Object.fromEntries(found.filter(([, has]) => has.length > 0));
}
