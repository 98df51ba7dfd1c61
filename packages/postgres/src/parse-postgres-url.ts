import { readFileSync } from 'node:fs';

/** Which of several servers a connection is for, in libpq's terms. */
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary', 'standby'] as const;
export type SessionAttributes = (typeof SESSION_ATTRIBUTES)[number];

export interface PostgresHost {
  host: string;
  port: number;
}

/** A parsed PostgreSQL URL. */
export interface PostgresTarget {
  /** The URL of the first host, in the form that pg accepts. */
  connectionString: string;
  /** Empty if only pg can parse the URL's one host: a socket, or no host. */
  hosts: readonly PostgresHost[];
  session: SessionAttributes;
  /** The schema of our tables. */
  schema: string;
  /** The schema of the tables of BullMQ, so that each installation in a database has its own queue. */
  queueSchema: string;
  /** By Prisma's convention: https://www.prisma.io/docs/orm/prisma-client/setup-and-configuration/databases-connections/pgbouncer */
  isThroughPgBouncer: boolean;
}

/**
 * The URL is invalid. The message completes "NAME: …" and never repeats the URL, which contains a
 * password.
 */
export class PostgresUrlError extends Error {
  override readonly name = 'PostgresUrlError';
}

export const DEFAULT_SCHEMA = 'public';

const DEFAULT_PORT = 5432;
const PARTS =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?<login>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(?<host>\[[\da-fA-F:.]+\]|[^:[\]\s]+)(?::(?<port>\d{1,5}))?$/;

/** The names of the schema: Prisma's, JDBC's and PostgreSQL's. */
const SCHEMA_PARAMETERS = ['schema', 'currentSchema', 'search_path'] as const;
const OURS = ['target_session_attrs', 'pgbouncer', ...SCHEMA_PARAMETERS] as const;
const FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;
/** The parameters that pg supports, and that do not replace a setting of ours. */
const OF_PG = [
  'host',
  'port',
  'user',
  'password',
  'application_name',
  'options',
  'ssl',
  'sslmode',
  'sslnegotiation',
  'uselibpqcompat',
  ...FILES,
];
const KNOWN: readonly string[] = [...OURS, ...OF_PG];

/** A name that needs no quotes in a search_path, and leaves room for the name of the queue's schema. */
const SCHEMA = /^[A-Za-z_]\w{0,49}$/;

/**
 * Parses a URL like libpq, including several hosts:
 * `postgresql://user:password@a:5432,b:5432/database?target_session_attrs=read-write`.
 *
 * @throws PostgresUrlError also when a file that it names can't be read
 */
export function parsePostgresUrl(text: string): PostgresTarget {
  assertEncoded(text);
  const parts = PARTS.exec(text)?.groups;
  if (parts === undefined) {
    throw new PostgresUrlError('must be a URL that starts with postgres:// or postgresql://');
  }
  const { scheme = '', login = '', hosts: hostList = '', path = '', query = '' } = parts;
  const parameters = new URLSearchParams(query);
  const names = hostList.split(',');
  if (names.length === 1) assertOneHost(text, hostList, path, parameters);
  assertKnown(parameters);
  assertReadable(parameters);
  const hosts = names.length === 1 && isForPgAlone(hostList) ? [] : names.map(parseHost);
  const session = parseSession(parameters, hosts.length > 1);
  const isThroughPgBouncer = parameters.get('pgbouncer') === 'true';
  const schema = parseSchema(parameters, isThroughPgBouncer);
  const isForPg = names.length === 1 && !OURS.some((name) => parameters.has(name));
  // pg treats every parameter as one of its own settings.
  for (const name of OURS) parameters.delete(name);
  const [first] = names;
  const rest = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  return {
    connectionString: isForPg ? text : `${scheme}${login}${first}${path}${rest}`,
    hosts,
    session,
    schema,
    queueSchema: schema === DEFAULT_SCHEMA ? 'bullmq' : `${schema}_bullmq`,
    isThroughPgBouncer,
  };
}

/** A password with one of `/?#` would become a part of the database's name or of a parameter. */
function assertEncoded(text: string): void {
  const [, login = '', rest = ''] = /^[a-z]+:\/\/([^/?#]*@)?(.*)$/s.exec(text) ?? [];
  const isEncoded = !/[/?#].*@/s.test(rest) && !/%(?![\da-f]{2})/i.test(login);
  if (isEncoded) return;
  throw new PostgresUrlError(
    'must have the special characters of its user and password percent-encoded: % as %25, @ as %40, / as %2F, ? as %3F, # as %23',
  );
}

function assertKnown(parameters: URLSearchParams): void {
  for (const name of parameters.keys()) {
    if (KNOWN.includes(name)) continue;
    const named = /^\w{1,40}$/.test(name) ? `the parameter ${name}` : 'a parameter';
    throw new PostgresUrlError(
      `has ${named}, which has no effect here: remove it. The known parameters are ${KNOWN.join(', ')}`,
    );
  }
}

function assertReadable(parameters: URLSearchParams): void {
  for (const name of FILES) {
    const path = parameters.get(name);
    if (path === null) continue;
    try {
      readFileSync(path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      throw new PostgresUrlError(`names a file as ${name} that can't be read (${code})`);
    }
  }
}

function parseSchema(parameters: URLSearchParams, isThroughPgBouncer: boolean): string {
  if (/search_path/i.test(parameters.get('options') ?? '')) {
    throw new PostgresUrlError('must name the schema as schema=…, not in options');
  }
  const given = SCHEMA_PARAMETERS.flatMap((name) => parameters.getAll(name));
  const [schema = DEFAULT_SCHEMA] = given;
  if (given.some((one) => one !== schema) || !SCHEMA.test(schema)) {
    throw new PostgresUrlError(
      'must name one schema: a letter or underscore, then at most 49 letters, digits and underscores',
    );
  }
  if (isThroughPgBouncer && schema !== DEFAULT_SCHEMA) {
    throw new PostgresUrlError(
      `must not name a schema with pgbouncer=true, because PgBouncer does not keep a connection's search_path`,
    );
  }
  return schema;
}

function assertOneHost(
  text: string,
  host: string,
  path: string,
  parameters: URLSearchParams,
): void {
  if (parameters.get('host')?.includes(',') === true) {
    throw new PostgresUrlError(
      'must name several hosts before the database, not in the parameter host: postgresql://user:password@a:5432,b:5432/database',
    );
  }
  if (!URL.canParse(text) || (host === '' && path.length <= 1)) {
    throw new PostgresUrlError('must be a URL that starts with postgres:// or postgresql://');
  }
}

/** Returns whether the URL has no host, or the percent-encoded path of a socket. */
function isForPgAlone(host: string): boolean {
  return host === '' || /^%2f/i.test(host);
}

function parseHost(text: string): PostgresHost {
  const { host, port = String(DEFAULT_PORT) } = HOST.exec(text)?.groups ?? {};
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new PostgresUrlError('must name each host as name or name:port, separated by commas');
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function parseSession(parameters: URLSearchParams, hasSeveral: boolean): SessionAttributes {
  const given = parameters.get('target_session_attrs');
  if (given === null) {
    if (!hasSeveral) return 'any';
    throw new PostgresUrlError(
      'names several hosts: add target_session_attrs=read-write for the primary, or standby for a replica',
    );
  }
  const session = SESSION_ATTRIBUTES.find((one) => one === given);
  if (session === undefined) {
    throw new PostgresUrlError(
      `must have one of these values of target_session_attrs: ${SESSION_ATTRIBUTES.join(', ')}`,
    );
  }
  return session;
}
