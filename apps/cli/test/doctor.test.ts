import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  type ChildProcess,
  type TestDatabase,
  TEST_SECRET_KEY,
  certificatePath,
  createTestDatabase,
  createWorkspaceFixture,
  startPgBouncer,
  startPostgres,
  startRedis,
  startRedisCluster,
  startRedisSentinels,
  startReplica,
  startSimulator,
} from '@switchboard/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

let database: TestDatabase;
let simulator: ChildProcess;
let api: Server;
let publicUrl: string;

beforeAll(async () => {
  simulator = await startSimulator();
  // Only whether something healthy answers there matters.
  api = createServer((request, response) => {
    response.writeHead(request.url === '/health/live' ? 200 : 404).end();
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  publicUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await simulator.stop();
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
});
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
});

interface Run {
  code: unknown;
  stderr: string;
  /** What was said of each part, with its mark. */
  said: Record<string, string>;
}

/** Runs the command as it is built, the way `npm run doctor` does. */
function doctor(env: Record<string, string> = {}): Promise<Run> {
  const file = path.join(import.meta.dirname, '../dist/doctor.js');
  const settings = {
    DATABASE_URL: database.url,
    SECRET_KEY: TEST_SECRET_KEY,
    PUBLIC_URL: publicUrl,
    TWILIO_API_URL: simulator.url,
    ...env,
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file],
      { env: settings, timeout: 30_000 },
      (error, stdout, stderr) => {
        const lines = stdout.split('\n').flatMap((line) => {
          const [, mark, part, text] =
            /^(good|check|MEND) {2,3}(.{12,}?) {2,}(.*)$/.exec(line) ?? [];
          return part === undefined ? [] : [[part.trim(), `${mark}: ${text}`] as const];
        });
        const code = error === null ? 0 : error.code;
        resolve({ code, stderr, said: Object.fromEntries(lines) });
      },
    );
  });
}

async function query(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

test('a service that lacks nothing gets a good word for each part, and exit code 0', async () => {
  const redis = await startRedis({ appendonly: true });
  try {
    await createWorkspaceFixture(database.url);
    const { code, stderr, said } = await doctor({ REDIS_URL: redis.url });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(said).toMatchObject({
      settings: 'good: Every setting can be read.',
      database: expect.stringMatching(/^good: PostgreSQL \d+ answers\.$/),
      clock: expect.stringMatching(/^good: \d+ ms/),
      'provider clock': "good: Within 3 s of the database's.",
      schema: 'good: Up to date.',
      redis: expect.stringMatching(/^good: Redis \S+ answers\.$/),
      'redis policy': 'good: noeviction.',
      'redis file': 'good: Append-only.',
      'public URL': expect.stringMatching(/^check: .*only the simulator/),
      providers: "good: 1 of 1 workspaces' credentials are good.",
    });
  } finally {
    await redis.close();
  }
});

test('a provider whose clock differs from the database’s must be looked at', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('date', new Date(Date.now() + 30_000).toUTCString()).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const { code, said } = await doctor({ TWILIO_API_URL: `http://127.0.0.1:${port}` });
    expect(code).toBe(1);
    expect(said['provider clock']).toMatch(/^MEND: The provider's clock .* differ by (29|30)/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('numbers whose inbound URL is missing, elsewhere or without connection overrides are counted', async () => {
  const { workspaceId } = await createWorkspaceFixture(database.url);
  expect((await doctor()).said['numbers']).toMatch(/^check: What 1 of 1 numbers .* come here/);
  const wireTo = (url: string, overrides = '#rc=5&rp=all') => {
    const inboundUrl = `${url}/api/webhooks/twilio/${workspaceId}/inbound${overrides}`;
    return query(`UPDATE phone_numbers SET inbound_url = '${inboundUrl}'`);
  };
  await wireTo('https://old.example');
  const elsewhere = await doctor();
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.said['numbers']).toMatch(/^MEND: .* another address than PUBLIC_URL/);
  await wireTo(publicUrl, '');
  expect((await doctor()).said['numbers']).toMatch(/^MEND: .* does not ask .* for retries/);
  await wireTo(publicUrl);
  expect((await doctor()).said['numbers']).toBe('good: What 1 of 1 numbers receive comes here.');
  // Four runs of the command, each a process of its own.
}, 90_000);

test('a Redis that evicts must be mended; one without a file is worth a look', async () => {
  const settings = { 'maxmemory-policy': 'allkeys-lru' };
  const redis = await startRedis({ settings });
  try {
    const { code, said } = await doctor({ REDIS_URL: redis.url });
    expect(code).toBe(1);
    expect(said['redis policy']).toMatch(/^MEND: .*allkeys-lru.*set it to noeviction\.$/);
    expect(said['redis file']).toMatch(/^check: .*set appendonly to yes\.$/);
  } finally {
    await redis.close();
  }
});

test('Redis over TLS is told apart, and a certificate that is refused is told with its reason', async () => {
  const redis = await startRedis({ certificate: 'server' });
  try {
    const { said } = await doctor({ REDIS_URL: redis.url });
    expect(said['redis']).toMatch(/^good: Redis \S+ answers over TLS\.$/);
    const other = redis.url.replace(/ca=.*/, `ca=${certificatePath('other-authority.pem')}`);
    const refused = await doctor({ REDIS_URL: other });
    expect(refused.code).toBe(1);
    expect(refused.said['redis']).toMatch(
      /^MEND: .*certificate of 127.* is refused: its authority/,
    );
  } finally {
    await redis.close();
  }
});

test('sentinels are asked one by one, and one that does not answer is named', async () => {
  const group = await startRedisSentinels();
  try {
    const whole = await doctor({ REDIS_URL: group.url });
    expect(whole.said).toMatchObject({
      sentinels: 'good: 3 agree on the master.',
      redis: expect.stringMatching(/^good:/),
      'redis copies': 'good: The master has 1.',
    });
    const withDead = await doctor({ REDIS_URL: group.url.replace('@', '@127.0.0.1:1,') });
    expect(withDead.said['sentinels']).toMatch(/^check: Not all .*127\.0\.0\.1:1: .*ECONNREFUSED/);
    expect(withDead.said['redis']).toMatch(/^good:/);
    const wrongName = await doctor({ REDIS_URL: group.url.replace('/mymaster', '/nobody') });
    expect(wrongName.said['sentinels']).toMatch(/^MEND: No sentinel knows nobody/);
  } finally {
    await group.close();
  }
});

test("a cluster's health is told, and that its master has nobody to take over", async () => {
  const group = await startRedisCluster();
  try {
    const whole = await doctor({ REDIS_URL: group.url });
    expect(whole.said).toMatchObject({
      cluster: 'good: 3 masters serve every slot.',
      'redis copies': 'good: The master has 1.',
    });
    await group.failOver();
    const { said } = await doctor({ REDIS_URL: group.url });
    expect(said['redis copies']).toMatch(/^check: The master has no replica/);
  } finally {
    await group.close();
  }
});

test('PgBouncer has to be named, asks for limits on the role, and not be what the direct way leads to', async () => {
  const redis = await startRedis();
  const bouncer = await startPgBouncer({ databaseUrl: database.url });
  try {
    const unnamed = await doctor({ DATABASE_URL: bouncer.url.replace(/\?.*/, '') });
    expect(unnamed.said['database']).toBe(
      'MEND: DATABASE_URL leads to PgBouncer: add pgbouncer=true to its query.',
    );
    const env = { DATABASE_URL: bouncer.url, REDIS_URL: redis.url };
    const named = await doctor({ ...env, DIRECT_DATABASE_URL: database.url });
    expect(named.said).toMatchObject({
      pooler: expect.stringMatching(/^check: .*SET statement_timeout/),
      direct: 'good: PostgreSQL itself answers.',
    });
    const name = new URL(database.url).pathname.slice(1);
    await query(`ALTER DATABASE "${name}" SET statement_timeout = '9s'`);
    await bouncer.kill();
    await bouncer.start();
    const bounded = await doctor({ ...env, DIRECT_DATABASE_URL: bouncer.url });
    expect(bounded.said).toMatchObject({
      pooler: 'good: PgBouncer answers; statements end after 9s.',
      direct: expect.stringMatching(/^MEND: .*leads to a pooler too/),
    });
    const absent = await doctor({
      DATABASE_URL: `${database.url}?pgbouncer=true`,
      REDIS_URL: redis.url,
    });
    expect(absent.said['pooler']).toMatch(/^check: .*PostgreSQL itself answers/);
  } finally {
    await bouncer.close();
    await redis.close();
  }
});

test('a replica has to be one of this database, and to follow', async () => {
  const primary = await startPostgres();
  const replica = await startReplica(primary);
  try {
    const env = { DATABASE_URL: primary.url, REPLICA_MAX_LAG_MS: '2000' };
    const following = await doctor({ ...env, REPLICA_DATABASE_URL: replica.url });
    expect(following.said['replica']).toMatch(/^good: At most \d+ ms behind\.$/);
    const other = await doctor({ ...env, REPLICA_DATABASE_URL: database.url });
    expect(other.said['replica']).toMatch(/^MEND: .* no copy of this one\.$/);
    const itself = await doctor({ ...env, REPLICA_DATABASE_URL: primary.url });
    expect(itself.said['replica']).toMatch(/^MEND: .*it is no streaming replica\.$/);
    await replica.stop();
    const away = await doctor({ ...env, REPLICA_DATABASE_URL: replica.url });
    expect(away.said['replica']).toMatch(/^MEND: The replica does not answer .*ECONNREFUSED/);
  } finally {
    await replica.close();
    await primary.close();
  }
});

test('a database without the schema is told how to get it, and its missing tables are not read', async () => {
  const empty = await createTestDatabase({ empty: true });
  try {
    const { code, stderr, said } = await doctor({ DATABASE_URL: empty.url });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(said['schema']).toMatch(
      /^MEND: Not up to date \(\d+_initial, .*\): run `npm run migrate`\.$/,
    );
    expect(said).not.toHaveProperty('providers');
  } finally {
    await empty.drop();
  }
});

test('a database of another encoding than UTF-8 must be made anew', async () => {
  const ascii = new URL(database.url);
  ascii.pathname += '_ascii';
  const name = ascii.pathname.slice(1);
  await query(
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`,
  );
  try {
    const { code, said } = await doctor({ DATABASE_URL: ascii.href });
    expect(code).toBe(1);
    expect(said['database']).toMatch(/^MEND: .*SQL_ASCII.*--encoding=UTF8/);
  } finally {
    await query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
});

test('a database that is newer than this version is told so', async () => {
  await query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     VALUES ('next', '', '99990101000000_next', now())`,
  );
  const { code, said } = await doctor();
  expect(code).toBe(0);
  expect(said['schema']).toMatch(/^check: Newer .*99990101000000_next.*finish the upgrade/);
});

test('a clock that is five minutes off is told', async () => {
  await query(
    `CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
       AS $$ SELECT pg_catalog.clock_timestamp() + interval '5 minutes' $$;
     ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" SET search_path = public, pg_catalog`,
  );
  const { code, said } = await doctor();
  expect(code).toBe(1);
  expect(said['clock']).toMatch(/^MEND: .*differ by (299|300)(\.\d+)? s: let both follow NTP\.$/);
});

test('stores and an address that do not answer are each told, in one run', async () => {
  const { code, stderr, said } = await doctor({
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    // What listens there does not speak TLS.
    PUBLIC_URL: publicUrl.replace('http:', 'https:'),
  });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(said['database']).toMatch(/^MEND: .*ECONNREFUSED.*check DATABASE_URL/);
  expect(said['redis']).toMatch(/^MEND: .*ECONNREFUSED.*check REDIS_URL/);
  expect(said['public URL']).toMatch(/^MEND: .*is not reached from here.*check DNS/);
});

test('a public address without TLS must be mended', async () => {
  const { code, said } = await doctor({ PUBLIC_URL: 'http://messages.example.com' });
  expect(code).toBe(1);
  expect(said['public URL']).toMatch(/^MEND: .*is not https/);
});

test('credentials that the provider refuses, or that do not open, are told by their workspace', async () => {
  const good = await createWorkspaceFixture(database.url);
  const sealed = await createWorkspaceFixture(database.url);
  await query(
    `UPDATE provider_configurations SET auth_token_encrypted = 'v1.AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA'
     WHERE workspace_id = '${sealed.workspaceId}'`,
  );
  const { code, said } = await doctor();
  expect(code).toBe(1);
  expect(said['providers']).toBe("good: 1 of 2 workspaces' credentials are good.");
  expect(said['provider']).toContain(`MEND: Workspace ${sealed.workspaceId}: `);
  expect(said['provider']).toContain("can't be decrypted");
  expect(JSON.stringify(said)).not.toContain(good.authToken);

  const away = await doctor({ TWILIO_API_URL: 'http://127.0.0.1:1' });
  expect(away.code).toBe(1);
  expect(away.said['providers']).toMatch(/0 of 2/);
});

test('all settings that are wrong are told at once, with exit code 1 and no value', async () => {
  const secret = randomBytes(8).toString('hex');
  const { code, stderr } = await doctor({ SECRET_KEY: secret, PUBLIC_URL: '', LEASE_MS: 'soon' });
  expect(code).toBe(1);
  for (const name of ['SECRET_KEY', 'PUBLIC_URL', 'LEASE_MS'])
    expect(stderr).toContain(`${name}: `);
  expect(stderr).not.toContain(secret);
});
