import { randomBytes } from 'node:crypto';
import { createWorkspaceFixture, startPostgres, startRedis } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { reportWorker, setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();

test('doctor reports a good result for every part of a complete service and exits with code 0', async () => {
  // The shared server of the tests has durability switched off, so this test needs its own.
  const postgres = await startPostgres();
  const redis = await startRedis({ appendonly: true });
  const removeWorker = await reportWorker(postgres.url);
  try {
    await createWorkspaceFixture(postgres.url);
    const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
    const { code, stderr, report } = await doctor.spawn(env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(report).toMatchObject({
      settings: 'good: All settings are valid.',
      database: expect.stringMatching(/^good: PostgreSQL \d+ responds\.$/),
      role: expect.stringMatching(/^good: \S+ may read and write\.$/),
      durability: 'good: A commit is on disk before it is acknowledged.',
      connections: expect.stringMatching(/^good: The server allows \d+/),
      clock: expect.stringMatching(/^good: \d+ ms/),
      'provider clock': "good: Within 3 s of the database's clock.",
      schema: 'good: Up to date.',
      workers: 'good: Running: 1, on test-host.',
      redis: expect.stringMatching(/^good: Redis \S+ responds\.$/),
      'redis policy': 'good: noeviction.',
      'redis memory': 'good: No limit (maxmemory 0).',
      'redis writes': 'good: Redis accepts writes.',
      'redis file': 'good: Append-only.',
      'public URL': expect.stringMatching(/^warning: .*only the simulator/),
      proxy: 'good: TRUST_PROXY is 0.',
      'second factors': 'good: No user has a second factor yet.',
      disk: expect.stringMatching(/^(good|warning): \S+ of \S+ GiB are free/),
      providers: "good: 1 of 1 workspaces' credentials are valid.",
    });
  } finally {
    await removeWorker();
    await redis.close();
    await postgres.close();
  }
});

test('doctor prints every finding with --json, and exits with code 1 if there is a problem', async () => {
  const env = { REDIS_URL: 'redis://127.0.0.1:1' };
  const { code, stdout } = await doctor.spawn(env, ['--json']);
  expect(code).toBe(1);
  const report = JSON.parse(stdout) as { ok: boolean; findings: { part: string }[] };
  expect(report.ok).toBe(false);
  expect(report.findings).toContainEqual({
    result: 'problem',
    part: 'redis',
    detail: expect.stringMatching(/ECONNREFUSED.*check REDIS_URL/),
  });
});

test('an API logs a warning about a misspelled setting when it starts', () => {
  const lines = doctor.apiLogs().map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      msg: 'unknown setting has no effect',
      setting: 'TRUST_PROXI',
      similar_to: 'TRUST_PROXY',
    }),
  );
});

test('doctor reports a misspelled setting as a problem, because its default would be used silently', async () => {
  const report = await doctor.run({ REDIS_ULR: 'redis://127.0.0.1', HOME: '/' });
  expect(report['settings']).toBe(
    'problem: REDIS_ULR is not a setting, so it has no effect: rename it to REDIS_URL, or remove it.',
  );
});

test('doctor reports a database, a Redis and a public URL that do not respond in one run', async () => {
  const report = await doctor.run({
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    // The API does not serve TLS.
    PUBLIC_URL: doctor.apiUrl().replace('http:', 'https:'),
  });
  expect(report['database']).toMatch(/^problem: .*ECONNREFUSED.*check DATABASE_URL/);
  expect(report['redis']).toMatch(/^problem: .*ECONNREFUSED.*check REDIS_URL/);
  expect(report['public URL']).toMatch(/^problem: .*can't be reached from here.*check DNS/);
});

test('doctor reports all invalid settings without their values and still checks the other parts', async () => {
  const secret = randomBytes(8).toString('hex');
  const report = await doctor.run({
    SECRET_KEY: secret,
    PUBLIC_URL: '',
    LEASE_MS: 'soon',
  });
  for (const name of ['SECRET_KEY', 'PUBLIC_URL', 'LEASE_MS']) {
    expect(report['settings']).toContain(`problem: ${name}: `);
  }
  expect(JSON.stringify(report)).not.toContain(secret);
  expect(report['database']).toMatch(/^good: /);
  expect(report['public URL']).toBe('skipped: Not checked: PUBLIC_URL is not valid.');
  expect(report['providers']).toBe('skipped: Not checked: SECRET_KEY is not valid.');
});
