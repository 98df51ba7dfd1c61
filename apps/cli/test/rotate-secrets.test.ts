import { randomBytes } from 'node:crypto';
import { createSecretBox, ofTotpSecret } from '@switchboard/runtime';
import {
  EVENTUALLY,
  type TestDatabase,
  createTestDatabase,
  runCommand,
} from '@switchboard/testing';
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

const rotate = (secretKey: string, ...args: string[]) =>
  runCommand('rotate-secrets', {
    env: { DATABASE_URL: database.url, SECRET_KEY: secretKey },
    args,
  });

const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const ownerOf = (n: number) => ({ workspaceId: idOf(n), field: 'auth_token' });

/** Workspaces 0 to `count` − 1, each with the token `token <n>`. */
async function addProviders(count: number, secretKey: string): Promise<void> {
  const box = createSecretBox(secretKey);
  const numbers = Array.from({ length: count }, (_, n) => n);
  await client.query(
    `INSERT INTO workspaces (id, name, created_at)
     SELECT id, 'Test', now() FROM unnest($1::uuid[]) AS id`,
    [numbers.map(idOf)],
  );
  await client.query(
    `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       secret_last4, is_default, created_at, updated_at)
     SELECT uuid_v7(now()), id, 'twilio', 'AC', sealed, '', true, now(), now()
     FROM unnest($1::uuid[], $2::text[]) AS p(id, sealed)`,
    [numbers.map(idOf), numbers.map((n) => box.seal(`token ${n}`, ownerOf(n)))],
  );
}

async function readSealed(): Promise<string[]> {
  const { rows } = await client.query<{ sealed: string }>(
    'SELECT sealed_secret AS sealed FROM provider_accounts ORDER BY workspace_id',
  );
  return rows.map(({ sealed }) => sealed);
}

test('after a rotation over many batches the new key alone decrypts all credentials', async () => {
  await addProviders(450, OLD);
  expect(await rotate(BOTH)).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^Credentials sealed with the newest key: 450 of 450; .*\nKeep the older keys in SECRET_KEY until every backup made before \S+ is deleted\.\n$/,
    ),
    stderr: '',
  });
  const box = createSecretBox(`2:${NEW}`);
  const sealed = await readSealed();
  expect(sealed.map((text, n) => box.open(text, ownerOf(n)))).toEqual(
    Array.from({ length: 450 }, (_, n) => `token ${n}`),
  );
  // A second run changes nothing.
  expect((await rotate(BOTH)).stdout).toContain('newest key: 0 of 450;');
  expect(await readSealed()).toEqual(sealed);
});

test('two concurrent rotations complete an interrupted one', async () => {
  await addProviders(300, OLD);
  const half = createSecretBox(BOTH);
  await client.query('UPDATE provider_accounts SET sealed_secret = $2 WHERE workspace_id = $1', [
    idOf(7),
    half.seal('token 7', ownerOf(7)),
  ]);
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

test('a rotation names the workspaces whose credentials cannot be decrypted and ends with exit code 1', async () => {
  await addProviders(3, OLD);
  const other = createSecretBox(randomBytes(32).toString('base64')).seal('lost', ownerOf(1));
  await client.query('UPDATE provider_accounts SET sealed_secret = $2 WHERE workspace_id = $1', [
    idOf(1),
    other,
  ]);
  const { code, stdout, stderr } = await rotate(BOTH);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: 'Credentials sealed with the newest key: 2 of 3; the others already were.\n',
  });
  expect(stderr).toContain(`${idOf(1)}: the sealed text was altered`);
  const sealed = await readSealed();
  expect(sealed[1]).toBe(other);
  const box = createSecretBox(`2:${NEW}`);
  expect([0, 2].map((n) => box.open(sealed[n] ?? '', ownerOf(n)))).toEqual(['token 0', 'token 2']);
});

test('a rotation keeps credentials that an owner sets while it runs', async () => {
  await addProviders(1, OLD);
  const fresh = createSecretBox(OLD).seal('fresh', ownerOf(0));
  // The owner's change is committed after the command has read, and before it writes.
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  try {
    await owner.query('BEGIN');
    await owner.query('UPDATE provider_accounts SET sealed_secret = $1', [fresh]);
    const run = rotate(BOTH);
    await vi.waitFor(async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect((await client.query(waiting)).rows).toHaveLength(1);
    }, EVENTUALLY);
    await owner.query('COMMIT');
    expect((await run).stdout).toContain('newest key: 1 of 1;');
  } finally {
    await owner.end();
  }
  const [sealed = ''] = await readSealed();
  expect(createSecretBox(`2:${NEW}`).open(sealed, ownerOf(0))).toBe('fresh');
});

test('a rotation with an invalid SECRET_KEY names the setting and not its value', async () => {
  const { code, stderr } = await rotate('short');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The settings are not usable:\n {2}SECRET_KEY: /);
  expect(stderr).not.toContain('short');
});

test('a dry run of a rotation decrypts every credential, names those of an unknown key and changes nothing', async () => {
  await addProviders(3, OLD);
  const before = await readSealed();
  expect(await rotate(BOTH, '--dry-run')).toEqual({
    code: 0,
    stdout: 'Credentials sealed with an older key: 3 of 3.\n',
    stderr: '',
  });
  const { code, stderr } = await rotate(`2:${NEW}`, '--dry-run');
  expect(code).toBe(1);
  expect(stderr).toContain(`${idOf(0)}: key version 1 is not configured`);
  expect(await readSealed()).toEqual(before);
});

test.each([
  ['lacks the key', OLD],
  ['has the newest key, but not first', `1:${OLD},2:${NEW}`],
  ['lacks the key', `2:${randomBytes(32).toString('base64')},1:${OLD}`],
])('a rotation changes nothing while a running process %s', async (problem, theirs) => {
  await addProviders(1, OLD);
  const before = await readSealed();
  await client.query(
    `INSERT INTO running_processes (id, role, host, pid, key_ids, started_at, seen_at, slot)
     VALUES (gen_random_uuid(), 'worker', 'host-a', 4711, $1, now(), now() - interval '5 s', 1),
       (gen_random_uuid(), 'api', 'host-a', 4712, '{}', now(), now() - interval '61 s', 2),
       (gen_random_uuid(), 'api', 'host-a', 4713, $2, now(), now(), 3)`,
    [createSecretBox(theirs).keyIds, createSecretBox(BOTH).keyIds],
  );
  const { code, stdout, stderr } = await rotate(BOTH);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    new RegExp(`^Nothing was changed\\..*\n {2}worker, process 4711 on host-a: ${problem} \\(last`),
  );
  expect(stderr).not.toMatch(/471[23]/);
  expect(await readSealed()).toEqual(before);
});

test('a rotation encrypts both secrets of a webhook endpoint with the new key and reports a secret that cannot be decrypted', async () => {
  await addProviders(2, OLD);
  const [readable, unreadable] = [createSecretBox(OLD), createSecretBox(NEW)];
  const owner = { workspaceId: idOf(0), field: 'webhook_secret' };
  const add = (n: number, secret: string, previous: string | null) =>
    client.query(
      `INSERT INTO webhook_endpoints (id, workspace_id, url, sealed_secret, previous_secret, event_types,
         position, created_at, updated_at)
       VALUES ($1, $2, 'https://example.com/', $3, $4, '{}', '{}', now(), now())`,
      [idOf(n), owner.workspaceId, secret, previous],
    );
  await add(1, readable.seal('whsec_1', owner), readable.seal('whsec_0', owner));
  expect(await rotate(BOTH)).toMatchObject({ code: 0, stdout: expect.stringContaining('3 of 3') });
  const { rows } = await client.query<{ sealed: string; previous: string }>(
    'SELECT sealed_secret AS sealed, previous_secret AS previous FROM webhook_endpoints',
  );
  const box = createSecretBox(`2:${NEW}`);
  const opened = rows.map(({ sealed, previous }) => [
    box.open(sealed, owner),
    box.open(previous, owner),
  ]);
  expect(opened).toEqual([['whsec_1', 'whsec_0']]);

  await add(2, unreadable.seal('whsec_2', owner), null);
  expect(await rotate(BOTH)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`webhook endpoint ${idOf(2)}`),
  });
});

test('a rotation encrypts the secrets of authenticator apps with the new key and names a user whose secret cannot be decrypted', async () => {
  const add = async (n: number, secretKey: string): Promise<void> => {
    const sealed = createSecretBox(secretKey).seal(`SECRET${n}`, ofTotpSecret(idOf(n)));
    await client.query(
      `INSERT INTO users (id, email, name, password_hash, created_at)
       VALUES ($1, $2, 'User', 'hash', now())`,
      [idOf(n), `user-${n}@example.com`],
    );
    await client.query('INSERT INTO second_factors (user_id, sealed_secret) VALUES ($1, $2)', [
      idOf(n),
      sealed,
    ]);
  };
  await add(1, OLD);
  await add(2, OLD);
  expect(await rotate(BOTH)).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 2') });
  const { rows } = await client.query<{ sealed: string }>(
    'SELECT sealed_secret AS sealed FROM second_factors ORDER BY user_id',
  );
  const box = createSecretBox(`2:${NEW}`);
  const opened = rows.map(({ sealed }, n) => box.open(sealed, ofTotpSecret(idOf(n + 1))));
  expect(opened).toEqual(['SECRET1', 'SECRET2']);

  await add(3, randomBytes(32).toString('base64'));
  const { code, stderr } = await rotate(BOTH, '--dry-run');
  expect(code).toBe(1);
  expect(stderr).toContain(`second factor of user ${idOf(3)}: the sealed text was altered`);
});
