import { expect, test } from 'vitest';
import { PostgresUrlError, parsePostgresUrl } from './parse-postgres-url.ts';

const SEVERAL = 'postgresql://user:p%40ss@a:5433,b,[::1]:5434/switchboard';

test('a URL with one host is passed to pg unchanged', () => {
  for (const url of [
    'postgresql://user:password@host:5432/switchboard?sslmode=verify-full',
    'postgres://host',
    'postgresql:///switchboard?host=/var/run/postgresql',
    'postgresql://%2Fvar%2Frun%2Fpostgresql/switchboard',
  ]) {
    expect(parsePostgresUrl(url)).toMatchObject({ connectionString: url, session: 'any' });
  }
});

test('a URL with several hosts is parsed into its hosts, and pg receives a URL with the first', () => {
  expect(
    parsePostgresUrl(`${SEVERAL}?target_session_attrs=read-write&sslmode=verify-full`),
  ).toEqual({
    connectionString: 'postgresql://user:p%40ss@a:5433/switchboard?sslmode=verify-full',
    hosts: [
      { host: 'a', port: 5433 },
      { host: 'b', port: 5432 },
      { host: '::1', port: 5434 },
    ],
    session: 'read-write',
    schema: 'public',
    queueSchema: 'bullmq',
    isThroughPgBouncer: false,
  });
});

test('the parameter pgbouncer of a URL decides whether connections go through PgBouncer', () => {
  expect(parsePostgresUrl('postgresql://h/d?pgbouncer=true').isThroughPgBouncer).toBe(true);
  expect(parsePostgresUrl('postgresql://h/d?pgbouncer=false').isThroughPgBouncer).toBe(false);
});

test('a schema is named as Prisma, JDBC or PostgreSQL name it, and pg does not receive the parameter', () => {
  for (const name of ['schema', 'currentSchema', 'search_path']) {
    expect(parsePostgresUrl(`postgresql://h/d?${name}=app&sslmode=disable`)).toMatchObject({
      schema: 'app',
      queueSchema: 'app_bullmq',
      connectionString: 'postgresql://h/d?sslmode=disable',
    });
  }
});

test('characters that a URL may contain unencoded in a password are accepted', () => {
  for (const password of ['p@ss', 'a:b', 'p[^|]"', 'a%25b', 'with space']) {
    const url = `postgresql://user:${password}@h/d`;
    expect(parsePostgresUrl(url).connectionString).toBe(url);
  }
});

test.each([
  ['postgresql://u:secret/1@h/d', /^must have the special characters .* percent-encoded/],
  ['postgresql://u:123/secret@h/d', /^must have the special characters/],
  ['postgresql://u:p?secret=1@h/d', /^must have the special characters/],
  ['postgresql://u:p#secret@h/d', /^must have the special characters/],
  ['postgresql://u:100%secret@h/d', /^must have the special characters/],
  ['postgresql://h/d?connection_limit=1', /^has the parameter connection_limit, .* remove it/],
  ['postgresql://h/d?channel_binding=require', /^has the parameter channel_binding,/],
  ['postgresql://h/d?statement_timeout=0', /^has the parameter statement_timeout,/],
  ['postgresql://h/d?schema=', /^must name one schema/],
  ['postgresql://h/d?schema=a,secret', /^must name one schema/],
  ['postgresql://h/d?schema=a&search_path=secret', /^must name one schema/],
  ['postgresql://h/d?schema=a"%20secret', /^must name one schema/],
  ['postgresql://h/d?schema=a&pgbouncer=true', /^must not name a schema with pgbouncer=true/],
  ['postgresql://h/d?options=-csearch_path%3Dsecret', /^must name the schema as schema=/],
  ['postgresql://h/d?sslrootcert=/nowhere/secret.pem', /^names a file as sslrootcert .*ENOENT/],
  ['http://secret@host', /^must be a URL that starts with postgres:/],
  ['postgresql://', /^must be a URL/],
  ['postgresql://secret@host:x', /^must be a URL/],
  [SEVERAL, /^names several hosts: add target_session_attrs=read-write/],
  [
    `${SEVERAL}?target_session_attrs=prefer-standby`,
    /values of target_session_attrs: any, read-write/,
  ],
  ['postgresql://a,b:secret/d?target_session_attrs=any', /^must name each host as name or/],
  ['postgresql://a,,b/d?target_session_attrs=any', /^must name each host as name or/],
  ['postgresql://a:0,b/d?target_session_attrs=any', /^must name each host as name or/],
  ['postgresql:///d?host=a,b', /^must name several hosts before the database/],
])('%s is refused with an error that does not repeat it', (url, message) => {
  expect(() => parsePostgresUrl(url)).toThrow(PostgresUrlError);
  expect(() => parsePostgresUrl(url)).toThrow(message);
  expect(() => parsePostgresUrl(url)).not.toThrow('secret');
});
