import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseRedisUrl, RedisUrlError } from './parse-redis-url.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-redis-url-'));
const pem = path.join(folder, 'ca.pem');
const text = path.join(folder, 'ca.txt');
writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n');
writeFileSync(text, 'no certificate');
afterAll(() => rmSync(folder, { recursive: true }));

const PLAIN = { masterName: '', database: 0, login: {}, sentinelLogin: {}, tls: null };

describe('a Redis URL', () => {
  test('a Redis URL names one server', () => {
    expect(parseRedisUrl('redis://host')).toEqual({
      ...PLAIN,
      kind: 'single',
      nodes: [{ host: 'host', port: 6379 }],
    });
    expect(parseRedisUrl('redis://me:p%40ss:word@[::1]:7000/3')).toEqual({
      ...PLAIN,
      kind: 'single',
      nodes: [{ host: '::1', port: 7000 }],
      login: { username: 'me', password: 'p@ss:word' },
      database: 3,
    });
  });

  test('a Redis URL names sentinels, whose password differs from that of the servers', () => {
    const url =
      'redis+sentinel://:of-redis@a,b:26380/my%20master/2?sentinel_username=s&sentinel_password=p';
    expect(parseRedisUrl(url)).toEqual({
      kind: 'sentinel',
      nodes: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 26_380 },
      ],
      masterName: 'my master',
      database: 2,
      login: { password: 'of-redis' },
      sentinelLogin: { username: 's', password: 'p' },
      tls: null,
    });
  });

  test('a Redis URL names the nodes of a cluster', () => {
    expect(parseRedisUrl('redis+cluster://a:7000,b,c:7002')).toEqual({
      ...PLAIN,
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 6379 },
        { host: 'c', port: 7002 },
      ],
    });
  });

  test.each(['rediss://h', 'rediss+sentinel://h/m', 'rediss+cluster://h'])(
    'a Redis URL configures TLS with its own authority and server name: %s',
    (url) => {
      expect(parseRedisUrl(url).tls).toEqual({});
      const { tls } = parseRedisUrl(`${url}?ca=${pem}&server_name=redis.internal`);
      expect(tls?.servername).toBe('redis.internal');
      expect(String(tls?.ca)).toContain('BEGIN CERTIFICATE');
    },
  );

  test.each([
    ['http://secret@h', /^must be a URL that starts with redis:/],
    ['redis://', /^must be a URL/],
    ['redis://h#secret', /^must be a URL/],
    ['redis://secret@a,b', /several hosts/],
    ['redis+cluster://a,', /host or host:port/],
    ['redis+cluster://a:0', /host or host:port/],
    ['redis+cluster://a:65536', /host or host:port/],
    ['redis+cluster://a/1', /cluster has only 0/],
    ['redis+sentinel://:secret@a,b', /must name the sentinels' master/],
    ['redis+sentinel://a//0', /must name the sentinels' master/],
    ['redis://h/secret', /whole number/],
    ['redis://h/1/2', /whole number/],
    ['redis://:%zz@h', /% that is not followed/],
    ['redis://h?ca=/secret', /has ca, which is for TLS/],
    ['rediss://h?sentinel_password=secret', /does not start with redis\+sentinel/],
    ['rediss://h?tls_ca=secret', /known parameters are ca, cert, key, server_name/],
    ['rediss://h?ca=/secret/nowhere', /as ca that can't be read \(ENOENT\)/],
    [`rediss://h?ca=${text}`, /is not PEM/],
    [`rediss://h?cert=${pem}`, /both cert and key/],
  ])('an invalid Redis URL is refused with a reason that repeats no secret: %s', (url, reason) => {
    expect(() => parseRedisUrl(url)).toThrow(RedisUrlError);
    expect(() => parseRedisUrl(url)).toThrow(reason);
    expect(() => parseRedisUrl(url)).not.toThrow(/secret/);
  });
});
