import { createTestDatabase, startPostgres, startWorker } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();

/** Creates a role for one test and returns it with its connection URL. */
async function createRole(): Promise<{ name: string; url: string }> {
  const url = new URL(doctor.databaseUrl());
  const name = `${url.pathname.slice(1)}_role`;
  await doctor.query(`CREATE ROLE "${name}" LOGIN PASSWORD 'secret'`);
  url.username = name;
  url.password = 'secret';
  return { name, url: url.href };
}

test('doctor reports a database role without privileges as a problem and still checks every other part', async () => {
  const { name, url } = await createRole();
  try {
    const report = await doctor.run({ DATABASE_URL: url });
    expect(report['role']).toMatch(/^problem: .*may not use the schemas? .*bullmq.*: GRANT USAGE/);
    expect(report['role']).toMatch(
      /^problem: .*may not read and write \w+\.\w+, .* and \d+ more: /m,
    );
    expect(report['schema']).toMatch(/^problem: .*permission denied for table _prisma_migrations/);
    expect(report['providers']).toMatch(/^skipped: /);
    expect(report['public URL']).toMatch(/^warning: /);
    expect(report['redis']).toMatch(/^good: /);
    expect(report['clock']).toMatch(/^good: /);
  } finally {
    await doctor.query(`DROP ROLE "${name}"`);
  }
});

test('doctor reports a database role that may only read, or whose transactions are read-only, as a problem', async () => {
  const { name, url } = await createRole();
  try {
    await doctor.query(
      `GRANT USAGE ON SCHEMA public, bullmq TO "${name}";
       GRANT SELECT ON ALL TABLES IN SCHEMA public, bullmq TO "${name}"`,
    );
    const reader = await doctor.run({ DATABASE_URL: url });
    expect(reader['role']).toMatch(/^problem: Role \S+ may not read and write .*GRANT SELECT/);
    expect(reader['schema']).toBe('good: Up to date.');
    await doctor.query(
      `GRANT ALL ON ALL TABLES IN SCHEMA public, bullmq TO "${name}";
       GRANT ALL ON ALL SEQUENCES IN SCHEMA public, bullmq TO "${name}"`,
    );
    expect((await doctor.run({ DATABASE_URL: url }))['role']).toMatch(/^good: /);
    await doctor.query(`ALTER ROLE "${name}" SET default_transaction_read_only = on`);
    const readOnly = await doctor.run({ DATABASE_URL: url });
    expect(readOnly['role']).toMatch(/^problem: .*read-only: reset default_transaction_read/);
  } finally {
    await doctor.query(`DROP OWNED BY "${name}"; DROP ROLE "${name}"`);
  }
});

test('doctor reports synchronous_commit = off for the database as a problem, because accepted messages can be lost', async () => {
  const name = new URL(doctor.databaseUrl()).pathname.slice(1);
  await doctor.query(`ALTER DATABASE "${name}" SET synchronous_commit = off`);
  const report = await doctor.run();
  expect(report['durability']).toMatch(/^problem: synchronous_commit is off, .*set it to on/m);
});

test('doctor reports why the server refused the connection, and names the part of DATABASE_URL to correct', async () => {
  const { name, url } = await createRole();
  try {
    const wrongPassword = new URL(url);
    wrongPassword.password = 'wrong';
    const refused = await doctor.run({ DATABASE_URL: wrongPassword.href });
    expect(refused['database']).toBe(
      `problem: PostgreSQL refused the connection (password authentication failed for user "${name}"): correct the user and the password in DATABASE_URL.`,
    );
    expect(refused['schema']).toBe('skipped: Not checked: there is no connection to the database.');
    // With several hosts, each one has refused.
    const { host } = wrongPassword;
    wrongPassword.search = '?target_session_attrs=read-write';
    const ofSeveral = await doctor.run({
      DATABASE_URL: wrongPassword.href.replace(host, `${host},${host}`),
    });
    expect(ofSeveral['database']).toMatch(
      /^problem: .*password authentication failed .*password in/,
    );

    const otherDatabase = new URL(url);
    otherDatabase.pathname = '/no_such_database';
    const missing = await doctor.run({ DATABASE_URL: otherDatabase.href });
    expect(missing['database']).toMatch(
      /^problem: PostgreSQL refused the connection \(database "no_such_database" does not exist\): correct the name of the database in DATABASE_URL/,
    );

    await doctor.query(`ALTER ROLE "${name}" NOLOGIN`);
    const noLogin = await doctor.run({ DATABASE_URL: url });
    expect(noLogin['database']).toMatch(
      /^problem: PostgreSQL refused the connection \(role \S+ is not permitted to log in\): correct the user in DATABASE_URL, or let this role log in/,
    );

    await doctor.query(`ALTER ROLE "${name}" LOGIN CONNECTION LIMIT 0`);
    const full = await doctor.run({ DATABASE_URL: url });
    expect(full['database']).toMatch(
      /^problem: PostgreSQL refused the connection \(too many connections for role \S+\): check DATABASE_URL and the log of the server\.$/,
    );
  } finally {
    await doctor.query(`DROP ROLE "${name}"`);
  }
});

test('doctor reports fsync = off as a problem and full_page_writes = off as a warning', async () => {
  const unsafe = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
  try {
    const report = await doctor.run({ DATABASE_URL: unsafe.url });
    expect(report['durability']).toMatch(
      /^problem: fsync is off.*\nwarning: full_page_writes is off/,
    );
  } finally {
    await unsafe.close();
  }
});

test('doctor reports a connection limit that is too low for the processes as a problem, and one that is too low for an update as a warning', async () => {
  const name = new URL(doctor.databaseUrl()).pathname.slice(1);
  const limitTo = (limit: number) =>
    doctor.query(`ALTER DATABASE "${name}" CONNECTION LIMIT ${limit}`);
  await limitTo(20);
  const tooFew = await doctor.run();
  expect(tooFew['connections']).toMatch(
    /^problem: Too few connections: the database allows 20, but APIs \(1\) and workers \(1\) need 49,/,
  );
  await limitTo(60);
  expect((await doctor.run())['connections']).toMatch(
    /^warning: Too few connections for an update: the database allows 60, but an update of APIs \(1\) and workers \(1\) needs 112,/,
  );
  await limitTo(-1);
  expect((await doctor.run())['connections']).not.toMatch(/database allows/);
});

test('doctor reports a problem if no worker runs, and a good result if one does', async () => {
  await doctor.removeWorker();
  const without = await doctor.run();
  expect(without['workers']).toMatch(/^problem: No worker runs .*messages wait/);
  const worker = await startWorker({ DATABASE_URL: doctor.databaseUrl() });
  try {
    expect((await doctor.run())['workers']).toMatch(/^good: Running: 1, on /);
  } finally {
    await worker.stop();
  }
});

test('doctor reports a database without tables as a problem and skips the checks that read tables', async () => {
  const empty = await createTestDatabase({ empty: true });
  try {
    const report = await doctor.run({ DATABASE_URL: empty.url });
    expect(report['schema']).toMatch(
      /^problem: Not up to date \(\d+_baseline.*\): run `npm run migrate`\.$/,
    );
    expect(report['providers']).toMatch(/^skipped: Not checked: the schema is not up to date/);
  } finally {
    await empty.drop();
  }
});

test('doctor reports a database whose encoding is not UTF-8 as a problem', async () => {
  const ascii = new URL(doctor.databaseUrl());
  ascii.pathname += '_ascii';
  const name = ascii.pathname.slice(1);
  await doctor.query(
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`,
  );
  try {
    const report = await doctor.run({ DATABASE_URL: ascii.href });
    expect(report['database']).toMatch(/^problem: .*SQL_ASCII.*--encoding=UTF8/);
  } finally {
    await doctor.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
});

test('doctor reports a database schema that is newer than this version as a warning', async () => {
  await doctor.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     VALUES ('next', '', '99990101000000_next', now())`,
  );
  const report = await doctor.run();
  expect(report['schema']).toMatch(/^warning: Newer .*99990101000000_next.*finish the upgrade/);
});

test('doctor reports a machine clock that is five minutes wrong as a problem', async () => {
  const clock = vi
    .spyOn(Date, 'now')
    .mockImplementation(() => performance.timeOrigin + performance.now() - 300_000);
  onTestFinished(() => clock.mockRestore());
  const report = await doctor.run();
  expect(report['clock']).toMatch(
    /^problem: .*differ by (29\d|30\d)(\.\d+)? s: synchronize both with NTP\.$/,
  );
});
