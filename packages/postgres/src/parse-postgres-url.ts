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

const DEFAULT_PORT = 5432;
const PARTS =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?<login>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(?<host>\[[\da-fA-F:.]+\]|[^:[\]\s]+)(?::(?<port>\d{1,5}))?$/;

/**
 * Parses a URL like libpq, including several hosts:
 * `postgresql://user:password@a:5432,b:5432/database?target_session_attrs=read-write`.
 *
 * @throws PostgresUrlError
 */
export function parsePostgresUrl(text: string): PostgresTarget {
  const parts = PARTS.exec(text)?.groups;
  if (parts === undefined) {
    throw new PostgresUrlError('must be a URL that starts with postgres:// or postgresql://');
  }
  const { scheme = '', login = '', hosts: hostList = '', path = '', query = '' } = parts;
  const parameters = new URLSearchParams(query);
  const names = hostList.split(',');
  if (names.length === 1) assertOneHost(text, hostList, path, parameters);
  const hosts = names.length === 1 && isForPgAlone(hostList) ? [] : names.map(parseHost);
  const session = parseSession(parameters, hosts.length > 1);
  // pg treats every parameter as one of its own settings.
  parameters.delete('target_session_attrs');
  const [first] = names;
  const rest = [...parameters].length === 0 ? '' : `?${parameters.toString()}`;
  return {
    connectionString: hosts.length > 1 ? `${scheme}${login}${first}${path}${rest}` : text,
    hosts,
    session,
    isThroughPgBouncer: parameters.get('pgbouncer') === 'true',
  };
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
