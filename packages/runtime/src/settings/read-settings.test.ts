import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { getDirectDatabaseUrl } from './database-settings.ts';
import { readSettings, SettingsError } from './read-settings.ts';
import { createSettingsSchema } from './settings-rules.ts';
import { SETTINGS } from './settings.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const schema = createSettingsSchema({
  DATABASE_URL: SETTINGS.DATABASE_URL.field,
  SECRET_KEY: SETTINGS.SECRET_KEY.field,
  PUBLIC_URL: SETTINGS.PUBLIC_URL.field,
  PORT: SETTINGS.PORT.field,
  PROVIDER_TIMEOUT_MS: SETTINGS.PROVIDER_TIMEOUT_MS.field,
  LEASE_MS: SETTINGS.LEASE_MS.field,
  UNKNOWN_LOOKUPS_MS: SETTINGS.UNKNOWN_LOOKUPS_MS.field,
  ALLOW_SIGNUP: SETTINGS.ALLOW_SIGNUP.field,
  QUEUE_UI_USER: SETTINGS.QUEUE_UI_USER.field,
  QUEUE_UI_PASSWORD: SETTINGS.QUEUE_UI_PASSWORD.field,
});
const good = {
  DATABASE_URL: 'postgres://user:pass@localhost:5432/switchboard',
  SECRET_KEY: SECRET,
  PUBLIC_URL: 'https://sms.example.com/',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(schema, env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

test('the texts of settings are parsed to values, and absent or empty settings have their defaults', () => {
  const settings = readSettings(schema, { ...good, PORT: '8080', LEASE_MS: '', OTHER: 'ignored' });
  expect(settings).toEqual({
    ...good,
    PUBLIC_URL: 'https://sms.example.com',
    PORT: 8080,
    PROVIDER_TIMEOUT_MS: 15_000,
    LEASE_MS: 60_000,
    UNKNOWN_LOOKUPS_MS: [120_000, 240_000, 600_000],
    ALLOW_SIGNUP: false,
  });
});

test('all problems are reported together, one line per setting, without any value', () => {
  const env = {
    DATABASE_URL: 'mysql://user:hunter2@localhost/db',
    SECRET_KEY: 'c2hvcnQ=',
    PORT: '70000',
    LEASE_MS: '5000',
    UNKNOWN_LOOKUPS_MS: '300,200',
    ALLOW_SIGNUP: 'maybe',
  };
  const problems = problemsOf(env);
  expect(problems.map((line) => line.slice(0, line.indexOf(':'))).toSorted()).toEqual([
    'ALLOW_SIGNUP',
    'DATABASE_URL',
    'LEASE_MS',
    'PORT',
    'PUBLIC_URL',
    'SECRET_KEY',
    'UNKNOWN_LOOKUPS_MS',
  ]);
  expect(problems).toContain('PUBLIC_URL: is required');
  expect(problems).toContain('PORT: must be a whole number from 0 to 65535');
  const text = problems.join('\n');
  for (const value of ['hunter2', 'c2hvcnQ=', '70000', 'maybe']) expect(text).not.toContain(value);
});

test('the lease and the last lookup must be longer than the provider timeout', () => {
  const timings = { PROVIDER_TIMEOUT_MS: '1000', LEASE_MS: '1000', UNKNOWN_LOOKUPS_MS: '500,1000' };
  expect(problemsOf({ ...good, ...timings }).map((line) => line.split(':')[0])).toEqual([
    'LEASE_MS',
    'UNKNOWN_LOOKUPS_MS',
  ]);
  expect(
    problemsOf({ ...good, ...timings, LEASE_MS: '1001', UNKNOWN_LOOKUPS_MS: '500,1001' }),
  ).toEqual([]);
});

test('behind PgBouncer, Redis or a direct URL is required, and migrations require a direct URL', () => {
  const url = 'postgres://u:p@h/db?sslmode=require&pgbouncer=true';
  const DATABASE_URL = SETTINGS.DATABASE_URL.field;
  const DIRECT_DATABASE_URL = SETTINGS.DIRECT_DATABASE_URL.field;
  const REDIS_URL = SETTINGS.REDIS_URL.field;
  const problemOf = (shape: Record<string, z.ZodType>, env: Record<string, string>) => {
    try {
      readSettings(createSettingsSchema(shape), env);
    } catch (error) {
      return (error as SettingsError).problems[0];
    }
    return null;
  };
  const service = { DATABASE_URL, DIRECT_DATABASE_URL, REDIS_URL };
  expect(problemOf(service, { DATABASE_URL: url })).toMatch(
    /^DATABASE_URL: goes through PgBouncer .* set REDIS_URL, or DIRECT_DATABASE_URL/,
  );
  for (const other of [{ REDIS_URL: 'redis://h' }, { DIRECT_DATABASE_URL: 'postgres://h/db' }]) {
    expect(problemOf(service, { DATABASE_URL: url, ...other })).toBeNull();
  }
  expect(problemOf(service, { DATABASE_URL: 'postgres://h/db?pgbouncer=false' })).toBeNull();
  expect(problemOf({ DATABASE_URL, DIRECT_DATABASE_URL }, { DATABASE_URL: url })).toMatch(
    /^DATABASE_URL: .* set DIRECT_DATABASE_URL to PostgreSQL itself$/,
  );
});

test('the address of PostgreSQL itself is DIRECT_DATABASE_URL, or DATABASE_URL if it is absent', () => {
  const DATABASE_URL = 'postgres://pooler/db';
  const direct = 'postgres://h/db';
  expect(getDirectDatabaseUrl({ DATABASE_URL, DIRECT_DATABASE_URL: direct })).toBe(direct);
  expect(getDirectDatabaseUrl({ DATABASE_URL })).toBe(DATABASE_URL);
});

const AROUND: [what: string, before: string, after: string][] = [
  ['blanks', ' ', '\t '],
  ['a line end of Windows', '', '\r\n'],
  ['double quotes', '"', '"'],
  ['single quotes and a line end', "'", "'\n"],
  ['blanks within quotes', '" ', '\r\n"'],
  ['a byte order mark', '\ufeff', ''],
  ['a no-break space and a zero-width space', '\u00a0', '\u200b'],
];

test.each(AROUND)(
  '%s around a setting are removed, in a variable and in a file',
  (_, before, after) => {
    const file = path.join(folder, 'secret');
    writeFileSync(file, `${before}${SECRET}${after}`);
    const settings = readSettings(schema, {
      DATABASE_URL: `${before}${good.DATABASE_URL}${after}`,
      PUBLIC_URL: `${before}${good.PUBLIC_URL}${after}`,
      PORT: `${before}8080${after}`,
      ALLOW_SIGNUP: `${before}true${after}`,
      SECRET_KEY_FILE: `${before}${file}${after}`,
    });
    expect(settings).toMatchObject({
      DATABASE_URL: good.DATABASE_URL,
      PUBLIC_URL: 'https://sms.example.com',
      PORT: 8080,
      ALLOW_SIGNUP: true,
      SECRET_KEY: SECRET,
    });
  },
);

test('a setting of only blanks or empty quotes counts as absent, and unpaired quotes stay', () => {
  for (const PORT of [' ', '""', "' '", '\r\n']) {
    expect(readSettings(schema, { ...good, PORT }).PORT).toBe(3000);
  }
  for (const PORT of ['"8080', '8080"', `"8080'`]) {
    expect(problemsOf({ ...good, PORT })).toEqual(['PORT: must be a whole number from 0 to 65535']);
  }
});

test('a setting that is given twice or by a missing file is refused', () => {
  const file = path.join(folder, 'absent');
  expect(problemsOf({ ...good, SECRET_KEY_FILE: file })).toEqual([
    'SECRET_KEY: is set twice, here and by SECRET_KEY_FILE',
  ]);
  const { SECRET_KEY: _, ...rest } = good;
  expect(problemsOf({ ...rest, SECRET_KEY_FILE: file })).toEqual([
    "SECRET_KEY: the file named by SECRET_KEY_FILE can't be read (ENOENT)",
  ]);
});

test('a login for the queue page without its password or name, or with a short password, is refused', () => {
  const user = { QUEUE_UI_USER: 'operator' };
  const password = { QUEUE_UI_PASSWORD: 'a long enough password' };
  expect(problemsOf({ ...good, ...user, ...password })).toEqual([]);
  expect(problemsOf({ ...good, ...user })).toEqual([
    'QUEUE_UI_USER: needs QUEUE_UI_PASSWORD as well',
  ]);
  expect(problemsOf({ ...good, ...password })).toEqual([
    'QUEUE_UI_PASSWORD: needs QUEUE_UI_USER as well',
  ]);
  expect(problemsOf({ ...good, ...user, QUEUE_UI_PASSWORD: 'short' })).toEqual([
    'QUEUE_UI_PASSWORD: must be at least 16 characters long',
  ]);
  expect(problemsOf({ ...good, ...password, QUEUE_UI_USER: 'a:b' })).toEqual([
    'QUEUE_UI_USER: must be 1 to 64 visible characters without a colon',
  ]);
});
