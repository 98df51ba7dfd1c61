import { CommandError } from '../command-error.ts';

// `new URL` cannot parse PostgreSQL's URLs, because they may name several hosts.
const FORM = /^(postgres(?:ql)?:\/\/)(?:([^@/]*)@)?([^/?]*)(?:\/([^?]*))?(\?.*)?$/;

export interface PostgresUrl {
  /** The name of the database. */
  database: string;
  /** Returns the URL of another database, with the same server and user. */
  withDatabase(name: string): string;
}

/** @throws CommandError if the URL names no database */
export function parsePostgresUrl(url: string): PostgresUrl {
  const [, scheme = '', user, hosts = '', path = '', query = ''] = FORM.exec(url) ?? [];
  if (scheme === '' || path === '') throw new CommandError('DATABASE_URL must name a database');
  const start = `${scheme}${user === undefined ? '' : `${user}@`}${hosts}`;
  return {
    database: decodeURIComponent(path),
    withDatabase: (name) => `${start}/${encodeURIComponent(name)}${query}`,
  };
}

/**
 * Returns the connection string and the environment for PostgreSQL's programs. The password is in the
 * environment, because every user of the machine can read the arguments of a process.
 */
export function connectionOf(url: string): { dbname: string; env: { PGPASSWORD?: string } } {
  const [, scheme = '', user = '', hosts = '', path = '', query = ''] = FORM.exec(url) ?? [];
  if (/[?&](schema|currentSchema|search_path)=/.test(query)) {
    throw new CommandError(
      'DATABASE_URL must not name a schema: these commands work on a whole database. Use pg_dump with --schema for this schema and its queue (<schema>_bullmq)',
    );
  }
  const [name = '', ...rest] = user.split(':');
  const dbname = `${scheme}${name === '' ? '' : `${name}@`}${hosts}/${path}${query}`;
  return rest.length === 0
    ? { dbname, env: {} }
    : { dbname, env: { PGPASSWORD: decodeURIComponent(rest.join(':')) } };
}
