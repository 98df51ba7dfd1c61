import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

export interface RedisAddress {
  host: string;
  port: number;
}

/** A parsed Redis URL. */
export interface RedisTarget {
  /** `single`: the node is the server. Otherwise the nodes name the master. */
  kind: 'single' | 'sentinel' | 'cluster';
  nodes: readonly [RedisAddress, ...RedisAddress[]];
  /** The sentinels' name of the master; empty without sentinels. */
  masterName: string;
  login: RedisLogin;
  sentinelLogin: RedisLogin;
  database: number;
  /** Null if the URL does not require TLS. */
  tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername'> | null;
}

export interface RedisLogin {
  username?: string;
  password?: string;
}

/** The URL is invalid. The message completes "REDIS_URL: …" and never repeats a part of the URL. */
export class RedisUrlError extends Error {
  override readonly name = 'RedisUrlError';
}

const FORM =
  /^redis(?<tls>s?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<login>[^/?#]*)@)?(?<hosts>[^/?#@]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const HOST = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<name>[^:[\]]+))(?::(?<port>\d{1,5}))?$/;

const FILES = { ca: 'ca', cert: 'cert', key: 'key' } as const;
const FOR_TLS = new Set([...Object.keys(FILES), 'server_name']);
const FOR_SENTINELS = new Set(['sentinel_username', 'sentinel_password']);

/**
 * Parses one of these forms:
 * - `redis://[user:password@]host[:port][/database]`
 * - `redis+sentinel://[user:password@]host[:port],…/master-name[/database]`
 * - `redis+cluster://[user:password@]host[:port],…`
 *
 * With `rediss` instead of `redis`, every connection uses TLS. The query may have `ca`, `cert` and `key`
 * (paths of PEM files), `server_name` (the name in the certificates, if it is not the host), and
 * `sentinel_username` and `sentinel_password`.
 *
 * @throws RedisUrlError also when a file that it names can't be read
 */
export function parseRedisUrl(text: string): RedisTarget {
  const parts = FORM.exec(text)?.groups;
  if (parts === undefined) {
    throw new RedisUrlError(
      'must be a URL that starts with redis:// or rediss://, redis+sentinel:// or redis+cluster://',
    );
  }
  const kind = (parts['kind'] as 'sentinel' | 'cluster' | undefined) ?? 'single';
  const query = readQuery(parts['query'] ?? '', kind, parts['tls'] === 's');
  const { masterName, database } = readPath(parts['path'] ?? '', kind);
  return {
    kind,
    nodes: readNodes(parts['hosts'] ?? '', kind),
    masterName,
    database,
    login: readLogin(parts['login'] ?? ''),
    sentinelLogin: toLogin(query.get('sentinel_username'), query.get('sentinel_password')),
    tls: parts['tls'] === 's' ? readTls(query) : null,
  };
}

function readNodes(hosts: string, kind: RedisTarget['kind']): RedisTarget['nodes'] {
  const [first, ...others] = hosts.split(',').map((host) => {
    const { v6, name, port } = HOST.exec(host)?.groups ?? {};
    const address = v6 ?? name;
    const number = Number(port ?? (kind === 'sentinel' ? 26_379 : 6_379));
    if (address === undefined || number < 1 || number > 65_535) {
      throw new RedisUrlError('must name each host as host or host:port, separated by commas');
    }
    return { host: address, port: number };
  });
  if (first === undefined || (kind === 'single' && others.length > 0)) {
    throw new RedisUrlError(
      'names several hosts, which only redis+sentinel:// and redis+cluster:// allow',
    );
  }
  return [first, ...others];
}

function readPath(path: string, kind: RedisTarget['kind']) {
  const names = path.split('/').slice(1).map(decode);
  const masterName = kind === 'sentinel' ? (names.shift() ?? '') : '';
  if (kind === 'sentinel' && masterName === '') {
    throw new RedisUrlError("must name the sentinels' master after the hosts: …/mymaster");
  }
  const [database = '', ...rest] = names;
  if (rest.length > 0 || !/^\d{0,5}$/.test(database)) {
    throw new RedisUrlError('must have a whole number as its database, or none');
  }
  if (kind === 'cluster' && Number(database) !== 0) {
    throw new RedisUrlError('must not name a database, because a cluster has only 0');
  }
  return { masterName, database: Number(database) };
}

function readQuery(text: string, kind: RedisTarget['kind'], hasTls: boolean): URLSearchParams {
  const query = new URLSearchParams(text);
  for (const name of query.keys()) {
    if (FOR_TLS.has(name) && !hasTls) {
      throw new RedisUrlError(`has ${name}, which is for TLS, but does not start with rediss`);
    }
    if (FOR_SENTINELS.has(name) && kind !== 'sentinel') {
      throw new RedisUrlError(`has ${name}, but does not start with redis+sentinel://`);
    }
    if (!FOR_TLS.has(name) && !FOR_SENTINELS.has(name)) {
      const known = [...FOR_TLS, ...FOR_SENTINELS].join(', ');
      throw new RedisUrlError(`has an unknown parameter; the known parameters are ${known}`);
    }
  }
  return query;
}

function readTls(query: URLSearchParams): RedisTarget['tls'] {
  const tls: RedisTarget['tls'] = {};
  for (const name of Object.values(FILES)) {
    const path = query.get(name);
    if (path !== null) tls[name] = readPem(name, path);
  }
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    throw new RedisUrlError('must have both cert and key, or neither');
  }
  const servername = query.get('server_name');
  return servername === null ? tls : { ...tls, servername };
}

function readPem(name: string, path: string): Buffer {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new RedisUrlError(`names a file as ${name} that can't be read (${code})`);
  }
  if (!content.includes('-----BEGIN ')) {
    throw new RedisUrlError(`names a file as ${name} that is not PEM`);
  }
  return content;
}

function readLogin(text: string): RedisLogin {
  const [, username, password] = /^([^:]*)(?::(.*))?$/.exec(text) ?? [];
  return toLogin(
    username === undefined ? null : decode(username),
    password === undefined ? null : decode(password),
  );
}

function toLogin(username: string | null, password: string | null): RedisLogin {
  return {
    ...(username !== null && username !== '' && { username }),
    ...(password !== null && password !== '' && { password }),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisUrlError('has a % that is not followed by two hexadecimal digits');
  }
}
