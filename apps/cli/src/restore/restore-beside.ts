import { type MigrateOptions, migrate } from '@switchboard/database';
import { migrateQueue } from '@switchboard/queue';
import { parsePostgresUrl, connectionOf } from '../backup/postgres-url.ts';
import { createPsql, quoteIdentifier, quoteLiteral } from '../backup/psql.ts';
import { type Environment, runProgram } from '../backup/run-program.ts';
import { CommandError } from '../command-error.ts';

const JOBS = 2;
const SILENT: MigrateOptions['log'] = { info: () => undefined };

/**
 * Restores a dump into a new database alongside the one that `url` names, migrates its schema and
 * collects planner statistics. Stops at the first error and removes the new database.
 */
export async function restoreBeside(options: {
  url: string;
  /** The new database. */
  name: string;
  dump: string;
  env: Environment;
}): Promise<void> {
  const { url, name, dump, env } = options;
  const { database, withDatabase } = parsePostgresUrl(url);
  const admin = createPsql(withDatabase('postgres'), env);
  await runProgram('pg_restore', ['--list', dump], env);

  if (await exists(url, name, env)) {
    throw new CommandError(
      `The database ${name} already exists from an earlier restore. When you no longer need it, drop it: DROP DATABASE ${quoteIdentifier(name)}`,
    );
  }
  const [locale] = await admin(
    `SELECT datcollate, datctype FROM pg_database WHERE datname = ${quoteLiteral(database)}`,
  );
  const [collate = 'C.UTF-8', ctype = 'C.UTF-8'] = locale ?? [];
  await admin(
    `CREATE DATABASE ${quoteIdentifier(name)} TEMPLATE template0 ENCODING 'UTF8'
     LC_COLLATE ${quoteLiteral(collate)} LC_CTYPE ${quoteLiteral(ctype)}`,
  );
  try {
    const target = withDatabase(name);
    const { dbname, env: own } = connectionOf(target);
    await runProgram(
      'pg_restore',
      [
        '--exit-on-error',
        '--no-owner',
        '--no-privileges',
        `--jobs=${JOBS}`,
        `--dbname=${dbname}`,
        dump,
      ],
      { ...env, ...own, PGAPPNAME: 'switchboard-restore', PGOPTIONS: '-c statement_timeout=0' },
    );
    await migrate({ databaseUrl: target, after: [migrateQueue], log: SILENT });
    await createPsql(target, env)('ANALYZE');
  } catch (error) {
    await dropDatabase(url, name, env);
    throw error;
  }
}

/** Returns the name that a restored database has until it replaces the live one. */
export function restoredName(database: string): string {
  return `${database}_restored`;
}

/** Returns whether the server of `url` has a database of this name. */
export async function exists(url: string, name: string, env: Environment): Promise<boolean> {
  const admin = createPsql(parsePostgresUrl(url).withDatabase('postgres'), env);
  const rows = await admin(`SELECT 1 FROM pg_database WHERE datname = ${quoteLiteral(name)}`);
  return rows.length > 0;
}

export async function dropDatabase(url: string, name: string, env: Environment): Promise<void> {
  const admin = createPsql(parsePostgresUrl(url).withDatabase('postgres'), env);
  await admin(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
}
