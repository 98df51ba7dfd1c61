import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createSecretBox } from '@switchboard/runtime';
import { type TestDatabase, createTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');
const BOTH = `2:${NEW},1:${OLD}`;

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** Runs the command as it is built, the way `npm run rotate-secrets` does. */
function rotate(secretKey: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const file = path.join(import.meta.dirname, '../dist/rotate-secrets.js');
  const env = { DATABASE_URL: database.url, SECRET_KEY: secretKey };
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { env, timeout: 20_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

const nameOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const ownerOf = (n: number) => ({ workspaceId: nameOf(n), field: 'auth_token' });

/** Workspaces 0 to `count` − 1, each with the token `token <n>`. */
async function addProviders(count: number, secretKey: string): Promise<void> {
  const box = createSecretBox(secretKey);
  const numbers = Array.from({ length: count }, (_, n) => n);
  await client.query(
    `INSERT INTO workspaces (id, name, created_at)
     SELECT id, 'Test', now() FROM unnest($1::uuid[]) AS id`,
    [numbers.map(nameOf)],
  );
  await client.query(
    `INSERT INTO provider_configurations (workspace_id, type, account_sid, auth_token_encrypted,
       auth_token_last4, created_at, updated_at)
     SELECT id, 'twilio', 'AC', sealed, '', now(), now()
     FROM unnest($1::uuid[], $2::text[]) AS p(id, sealed)`,
    [numbers.map(nameOf), numbers.map((n) => box.seal(`token ${n}`, ownerOf(n)))],
  );
}

async function readSealed(): Promise<string[]> {
  const { rows } = await client.query<{ sealed: string }>(
    'SELECT auth_token_encrypted AS sealed FROM provider_configurations ORDER BY workspace_id',
  );
  return rows.map(({ sealed }) => sealed);
}

test('all credentials, over many batches, open with the new key alone afterwards', async () => {
  await addProviders(450, OLD);
  expect(await rotate(BOTH)).toEqual({
    code: 0,
    stdout: 'Credentials sealed anew with the newest key: 450 of 450.\n',
    stderr: '',
  });
  const box = createSecretBox(`2:${NEW}`);
  const sealed = await readSealed();
  expect(sealed.map((text, n) => box.open(text, ownerOf(n)))).toEqual(
    Array.from({ length: 450 }, (_, n) => `token ${n}`),
  );
  // Again changes nothing.
  expect((await rotate(BOTH)).stdout).toBe(
    'Credentials sealed anew with the newest key: 0 of 450.\n',
  );
  expect(await readSealed()).toEqual(sealed);
});

test('what an earlier run has left is done by the next, two of them at once included', async () => {
  await addProviders(300, OLD);
  const half = createSecretBox(BOTH);
  await client.query(
    'UPDATE provider_configurations SET auth_token_encrypted = $2 WHERE workspace_id = $1',
    [nameOf(7), half.seal('token 7', ownerOf(7))],
  );
  const runs = await Promise.all([rotate(BOTH), rotate(BOTH)]);
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  const counts = runs.map(({ stdout }) => Number(/key: (\d+) of 300/.exec(stdout)?.[1]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(299);
  const box = createSecretBox(`2:${NEW}`);
  for (const [n, text] of (await readSealed()).entries()) {
    expect(box.open(text, ownerOf(n))).toBe(`token ${n}`);
  }
});

test('what can’t be decrypted is named and left alone, the rest is done, and the exit code is 1', async () => {
  await addProviders(3, OLD);
  const other = createSecretBox(randomBytes(32).toString('base64')).seal('lost', ownerOf(1));
  await client.query(
    'UPDATE provider_configurations SET auth_token_encrypted = $2 WHERE workspace_id = $1',
    [nameOf(1), other],
  );
  const { code, stdout, stderr } = await rotate(BOTH);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: 'Credentials sealed anew with the newest key: 2 of 3.\n',
  });
  expect(stderr).toContain(`${nameOf(1)}: the sealed text was altered`);
  const sealed = await readSealed();
  expect(sealed[1]).toBe(other);
  const box = createSecretBox(`2:${NEW}`);
  expect([0, 2].map((n) => box.open(sealed[n] ?? '', ownerOf(n)))).toEqual(['token 0', 'token 2']);
});

test('credentials that an owner sets meanwhile stay theirs, and are sealed anew too', async () => {
  await addProviders(1, OLD);
  const fresh = createSecretBox(OLD).seal('fresh', ownerOf(0));
  // The owner's change is committed after the command has read, and before it writes.
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  try {
    await owner.query('BEGIN');
    await owner.query('UPDATE provider_configurations SET auth_token_encrypted = $1', [fresh]);
    const run = rotate(BOTH);
    await vi.waitFor(
      async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect((await client.query(waiting)).rows).toHaveLength(1);
      },
      { timeout: 15_000 },
    );
    await owner.query('COMMIT');
    expect((await run).stdout).toBe('Credentials sealed anew with the newest key: 1 of 1.\n');
  } finally {
    await owner.end();
  }
  const [sealed = ''] = await readSealed();
  expect(createSecretBox(`2:${NEW}`).open(sealed, ownerOf(0))).toBe('fresh');
});

test('a missing setting is told by its name, with exit code 1', async () => {
  const { code, stderr } = await rotate('short');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The settings are not usable:\n {2}SECRET_KEY: /);
  expect(stderr).not.toContain('short');
});
