import { readFileSync } from 'node:fs';
import { createRedis } from '@switchboard/redis';
import {
  certificatePath,
  startRedis,
  startRedisCluster,
  startRedisSentinels,
} from '@switchboard/testing';
import { expect, test } from 'vitest';
import { setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();

test('doctor reports a Redis that refuses writes because its memory is full as a problem', async () => {
  // Redis always uses more than one byte.
  const redis = await startRedis({ settings: { maxmemory: '1' } });
  try {
    const report = await doctor.run({ REDIS_URL: redis.url });
    expect(report['redis memory']).toMatch(/^warning: \d+% of maxmemory is used/);
    expect(report['redis writes']).toMatch(
      /^problem: Redis refuses this \(OOM .*raise maxmemory\.$/,
    );
  } finally {
    await redis.close();
  }
});

test('doctor reports a read-only Redis login as a problem', async () => {
  const redis = await startRedis();
  const client = createRedis({ url: redis.url, timeoutMs: 20_000 });
  try {
    await client.acl('SETUSER', 'reader', 'on', '>secret', '~*', '&*', '+@all', '-@write');
    const report = await doctor.run({
      REDIS_URL: redis.url.replace('://', '://reader:secret@'),
    });
    expect(report['redis']).toMatch(/^good: /);
    expect(report['redis writes']).toMatch(/^problem: .*NOPERM.*docs\/deploy\.md/);
  } finally {
    client.disconnect();
    await redis.close();
  }
});

const RULE =
  /^ACL SETUSER switchboard (.*)$/m.exec(readFileSync('docs/deploy.md', 'utf8'))?.[1] ?? '';

test.each([
  ['', {}],
  [' -@scripting', { 'redis scripts': /NOPERM/ }],
  [' -eval', { 'redis scripts': /NOPERM/ }],
  [' resetchannels', { 'redis channel': /NOPERM/ }],
  [' -subscribe', { 'redis channel': /NOPERM/ }],
  [' resetkeys ~switchboard:*', { 'redis writes': /NOPERM/ }],
  [' resetkeys ~limit:*', { 'redis writes': /NOPERM/, 'redis scripts': /NOPERM/ }],
  [' -xadd', { 'redis scripts': /NOPERM|can't run this command/ }],
])(
  'doctor reports exactly the missing rights of the Redis user of the guide with "%s"',
  async (more, missing) => {
    const redis = await startRedis();
    const client = createRedis({ url: redis.url, timeoutMs: 20_000 });
    try {
      await client.call('ACL', 'SETUSER', 'switchboard', ...`${RULE}${more}`.split(' '));
      const report = await doctor.run({
        REDIS_URL: redis.url.replace('://', '://switchboard:password@'),
      });
      for (const part of ['redis', 'redis writes', 'redis scripts', 'redis channel']) {
        expect(report[part], part).toMatch(
          part in missing ? /^problem: .*docs\/deploy\.md/ : /^good: /,
        );
      }
      expect(report).toMatchObject(
        Object.fromEntries(
          Object.entries(missing).map(([part, reason]) => [part, expect.stringMatching(reason)]),
        ),
      );
    } finally {
      client.disconnect();
      await redis.close();
    }
  },
);

test('doctor names a database that Redis does not have', async () => {
  const redis = await startRedis({ settings: { databases: '16' } });
  try {
    const report = await doctor.run({ REDIS_URL: `${redis.url}/16` });
    expect(report['redis']).toMatch(/^problem: .*Redis has no database 16: set the number/);
    expect((await doctor.run({ REDIS_URL: `${redis.url}/15` }))['redis']).toMatch(/^good: /);
  } finally {
    await redis.close();
  }
});

test('doctor reports a Redis that evicts keys as a problem, and one without an append-only file as a warning', async () => {
  const settings = { 'maxmemory-policy': 'allkeys-lru' };
  const redis = await startRedis({ settings });
  try {
    const report = await doctor.run({ REDIS_URL: redis.url });
    expect(report['redis policy']).toMatch(/^problem: .*allkeys-lru.*set it to noeviction\.$/);
    expect(report['redis file']).toMatch(/^warning: .*set appendonly to yes\.$/);
  } finally {
    await redis.close();
  }
});

test('doctor reports that Redis uses TLS, and the reason why a certificate is refused', async () => {
  const redis = await startRedis({ certificate: 'server' });
  try {
    const report = await doctor.run({ REDIS_URL: redis.url });
    expect(report['redis']).toMatch(/^good: Redis \S+ responds over TLS\.$/);
    const other = redis.url.replace(/ca=.*/, `ca=${certificatePath('other-authority.pem')}`);
    const refused = await doctor.run({ REDIS_URL: other });
    expect(refused['redis']).toMatch(/^problem: .*certificate of 127.* is refused: its CA/);
  } finally {
    await redis.close();
  }
});

test('doctor checks each Redis sentinel and names one that does not respond', async () => {
  const group = await startRedisSentinels();
  try {
    const whole = await doctor.run({ REDIS_URL: group.url });
    expect(whole).toMatchObject({
      sentinels: 'good: 3 agree on the master.',
      redis: expect.stringMatching(/^good:/),
      'redis replicas': 'good: Connected to the master: 1.',
    });
    const withDead = await doctor.run({ REDIS_URL: group.url.replace('@', '@127.0.0.1:1,') });
    expect(withDead['sentinels']).toMatch(
      /^warning: Some sentinels do not work: .*127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
    expect(withDead['redis']).toMatch(/^good:/);
    const wrongName = await doctor.run({ REDIS_URL: group.url.replace('/mymaster', '/nobody') });
    expect(wrongName['sentinels']).toMatch(/^problem: No sentinel has the master nobody/);
  } finally {
    await group.close();
  }
});

test('doctor reports the state of a Redis cluster, and a master without a replica', async () => {
  const group = await startRedisCluster();
  try {
    const whole = await doctor.run({ REDIS_URL: group.url });
    expect(whole).toMatchObject({
      cluster: 'good: 3 masters serve every slot.',
      'redis replicas': 'good: Connected to the master: 1.',
    });
    await group.failOver();
    const report = await doctor.run({ REDIS_URL: group.url });
    expect(report['redis replicas']).toMatch(/^warning: The master has no replica/);
  } finally {
    await group.close();
  }
});
