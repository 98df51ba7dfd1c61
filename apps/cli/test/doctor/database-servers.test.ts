import { startPgBouncer, startPostgres, startRedis, startReplica } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();

test('doctor requires pgbouncer=true in DATABASE_URL for PgBouncer, and PostgreSQL in DIRECT_DATABASE_URL', async () => {
  const redis = await startRedis();
  const bouncer = await startPgBouncer({ databaseUrl: doctor.databaseUrl() });
  try {
    const unnamed = await doctor.run({ DATABASE_URL: bouncer.url.replace(/\?.*/, '') });
    expect(unnamed['database']).toBe(
      'problem: DATABASE_URL points to PgBouncer: add pgbouncer=true to its query.',
    );
    const env = { DATABASE_URL: bouncer.url, REDIS_URL: redis.url };
    const named = await doctor.run({ ...env, DIRECT_DATABASE_URL: doctor.databaseUrl() });
    expect(named).toMatchObject({
      pooler: expect.stringMatching(/^warning: .*SET statement_timeout/),
      direct: 'good: PostgreSQL itself responds.',
      connections: expect.stringMatching(
        /^good: .* 0 for each API and 0 for each worker in addition to PgBouncer's pool\.$/,
      ),
    });
    const name = new URL(doctor.databaseUrl()).pathname.slice(1);
    await doctor.query(`ALTER DATABASE "${name}" SET statement_timeout = '9s'`);
    await bouncer.kill();
    await bouncer.start();
    const bounded = await doctor.run({ ...env, DIRECT_DATABASE_URL: bouncer.url });
    expect(bounded).toMatchObject({
      pooler: 'good: PgBouncer responds; statements end after 9s.',
      direct: expect.stringMatching(/^problem: .*points to a pooler too/),
    });
    const absent = await doctor.run({
      DATABASE_URL: `${doctor.databaseUrl()}?pgbouncer=true`,
      REDIS_URL: redis.url,
    });
    expect(absent['pooler']).toMatch(/^warning: .*PostgreSQL itself responds/);
  } finally {
    await bouncer.close();
    await redis.close();
  }
});

test('doctor reports a replica that is not a copy of the database or does not follow it', async () => {
  const primary = await startPostgres();
  const replica = await startReplica(primary);
  try {
    const env = { DATABASE_URL: primary.url, REPLICA_MAX_LAG_MS: '2000' };
    const following = await doctor.run({ ...env, REPLICA_DATABASE_URL: replica.url });
    expect(following['replica']).toMatch(/^good: At most \d+ ms behind\.$/);
    const other = await doctor.run({ ...env, REPLICA_DATABASE_URL: doctor.databaseUrl() });
    expect(other['replica']).toMatch(/^problem: .* not a copy of this one/);
    const itself = await doctor.run({ ...env, REPLICA_DATABASE_URL: primary.url });
    expect(itself['replica']).toMatch(/^problem: .*the server is not a streaming replica\./);
    const wrongPassword = new URL(replica.url);
    wrongPassword.password = 'wrong';
    const refused = await doctor.run({ ...env, REPLICA_DATABASE_URL: wrongPassword.href });
    expect(refused['replica']).toMatch(
      /^problem: The replica refused the connection \(password authentication failed .*password in REPLICA_DATABASE_URL\. History is read from the primary\.$/,
    );
    await replica.stop();
    const stopped = await doctor.run({ ...env, REPLICA_DATABASE_URL: replica.url });
    expect(stopped['replica']).toMatch(/^problem: The replica does not respond .*ECONNREFUSED/);
  } finally {
    await replica.close();
    await primary.close();
  }
});
