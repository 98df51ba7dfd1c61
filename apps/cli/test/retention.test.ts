import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  EVENTUALLY,
  type TestDatabase,
  createTestDatabase,
  findProgramFile,
  runCommand,
} from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

const FILE = findProgramFile('retention');
const WORKSPACES = ['1', '2'].map((n) => `00000000-0000-7000-8000-00000000000${n}`);

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `INSERT INTO workspaces (id, name, created_at)
     SELECT id, 'Test', now() FROM unnest($1::uuid[]) AS id`,
    [WORKSPACES],
  );
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const retention = (settings: Record<string, string>, ...args: string[]) =>
  runCommand('retention', { env: { DATABASE_URL: database.url, ...settings }, args });

/** Makes each step take a second, so that a run does not end before a test has seen it. */
async function slowDown(): Promise<() => Promise<unknown>> {
  await client.query(`
    CREATE FUNCTION slow_delete() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
    CREATE TRIGGER slow_delete BEFORE DELETE ON message_events EXECUTE FUNCTION slow_delete()`);
  return () => client.query('DROP FUNCTION slow_delete CASCADE');
}

/** Waits until a run has deleted some of this many events. */
async function untilDeleting(events: number): Promise<void> {
  await expect
    .poll(async () => (await count()).events, { ...EVENTUALLY, interval: 20 })
    .toBeLessThan(events);
}

/** Creates delivered messages in every workspace, with five events each. */
async function addDelivered(perWorkspace: number, daysAgo: number): Promise<void> {
  await client.query(
    `WITH added AS (
       INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, status, created_at,
         updated_at, dispatch)
       SELECT uuid_v7(at), w, 'outbound', '+15005550100', '', 1, 'delivered', at, at, 'accepted'
       FROM unnest($1::uuid[]) w, generate_series(1, $2::int),
         LATERAL (SELECT now() - $3::int * interval '1 day' AS at) t
       RETURNING id, workspace_id, created_at
     ), counted AS (
       INSERT INTO event_counters AS c (workspace_id, last_seq)
       SELECT workspace_id, count(*) * 5 FROM added GROUP BY 1
       ON CONFLICT (workspace_id, slot) DO UPDATE SET last_seq = c.last_seq + excluded.last_seq
       RETURNING workspace_id, last_seq
     )
     INSERT INTO message_events (workspace_id, seq, id, message_id, message_version, type, at,
       visible, status)
     SELECT a.workspace_id,
       c.last_seq + 1 - row_number() OVER (PARTITION BY a.workspace_id ORDER BY a.id DESC, n DESC),
       uuid_v7(a.created_at), a.id, n, 'status_changed', a.created_at, true, 'delivered'
     FROM added a JOIN counted c USING (workspace_id), generate_series(1, 5) n`,
    [WORKSPACES, perWorkspace, daysAgo],
  );
}

async function count(): Promise<{ messages: number; events: number }> {
  const { rows } = await client.query<{ messages: number; events: number }>(
    `SELECT (SELECT count(*) FROM messages)::int AS messages,
       (SELECT count(*) FROM message_events)::int AS events`,
  );
  return rows[0] ?? { messages: NaN, events: NaN };
}

const readCount = (stdout: string, what: string): number =>
  Number(new RegExp(`^${what} before \\S+: (\\d+) `, 'm').exec(stdout)?.[1] ?? NaN);

test('messages of test mode are deleted after a week although live messages are kept, and after the time that is set', async () => {
  const [live] = WORKSPACES;
  const ofTest = '00000000-0000-8000-8000-000000000001';
  await client.query(`UPDATE workspaces SET id = $2 WHERE id = $1`, [WORKSPACES[1], ofTest]);
  const read = async () => {
    const { rows } = await client.query<{ workspace_id: string; n: number }>(
      `SELECT workspace_id, count(*)::int AS n FROM message_records GROUP BY 1 ORDER BY 1`,
    );
    return Object.fromEntries(rows.map(({ workspace_id: id, n }) => [id, n]));
  };
  const ids = [...WORKSPACES];
  WORKSPACES.splice(0, 2, String(live), ofTest);
  try {
    await addDelivered(3, 8);
    await addDelivered(2, 6);
  } finally {
    WORKSPACES.splice(0, 2, ...ids);
  }
  expect(await read()).toEqual({ [String(live)]: 5, [ofTest]: 5 });
  const { stdout } = await retention({});
  expect(stdout).toMatch(/^Test mode: Messages before \S+: 3 deleted/m);
  expect(await read()).toEqual({ [String(live)]: 5, [ofTest]: 2 });
  await retention({ TEST_RETENTION_DAYS: '5' });
  expect(await read()).toEqual({ [String(live)]: 5 });
});

test('retention deletes nothing unless a retention period is set', async () => {
  await addDelivered(1, 4_000);
  expect(await retention({})).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^All live messages are kept: neither MESSAGE_RETENTION_DAYS nor EVENT_RETENTION_DAYS is set\.\nTest mode: Events /,
    ),
    stderr: '',
  });
  expect(await count()).toEqual({ messages: 2, events: 10 });
});

test('a dry run of retention reports what a run deletes and changes nothing', async () => {
  await addDelivered(1_500, 40);
  await addDelivered(5, 8);
  await addDelivered(5, 1);
  const settings = { MESSAGE_RETENTION_DAYS: '30', EVENT_RETENTION_DAYS: '7' };
  const dry = await retention(settings, '--dry-run');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toMatch(/^Events before \S+: 15050 would be deleted, \d+\.\d s\.$/m);
  expect(dry.stdout).toMatch(
    /^Messages before \S+: 3000 would be deleted, 0 kept because .* s\.$/m,
  );
  expect(await count()).toEqual({ messages: 3_020, events: 15_100 });

  const { code, stdout, stderr } = await retention(settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect([readCount(stdout, 'Events'), readCount(stdout, 'Messages')]).toEqual([15_050, 3_000]);
  expect(await count()).toEqual({ messages: 20, events: 50 });
});

test('EVENT_RETENTION_DAYS alone deletes only events, and without it events are kept as long as messages', async () => {
  await addDelivered(1, 40);
  await addDelivered(1, 20);
  await retention({ EVENT_RETENTION_DAYS: '30' });
  expect(await count()).toEqual({ messages: 4, events: 10 });
  await retention({ MESSAGE_RETENTION_DAYS: '30' });
  expect(await count()).toEqual({ messages: 2, events: 10 });
});

test('retention deletes the events that wait for a disabled webhook endpoint, other than those of messages, and no newer ones', async () => {
  await client.query(
    `WITH endpoints AS (
       INSERT INTO webhook_endpoints (id, workspace_id, url, enabled, disabled_reason, sealed_secret, created_at, updated_at)
       SELECT gen_random_uuid(), $1::uuid, 'https://example.com/' || on_off, on_off, CASE WHEN NOT on_off THEN 'user' END, 'x', now(), now()
       FROM unnest('{true,false}'::boolean[]) AS on_off RETURNING workspace_id, id
     )
     INSERT INTO webhook_other_events (workspace_id, endpoint_id, added_at, event_id, event_type, data, event_at)
     SELECT workspace_id, id, now() - days * interval '1 day', gen_random_uuid(), 'opt_out.created', '{}', now()
     FROM endpoints, unnest('{31,29}'::int[]) AS days`,
    [WORKSPACES[0]],
  );
  const listWaiting = async () => {
    const { rows } = await client.query<{ enabled: boolean; days: number }>(
      `SELECT enabled, extract(day FROM now() - added_at)::int AS days
       FROM webhook_other_events o JOIN webhook_endpoints w ON w.id = o.endpoint_id ORDER BY enabled, days`,
    );
    return rows.map(({ enabled, days }) => `${enabled ? 'enabled' : 'disabled'} ${days}`);
  };
  const all = ['disabled 29', 'disabled 31', 'enabled 29', 'enabled 31'];
  await retention({});
  await retention({ EVENT_RETENTION_DAYS: '30' }, '--dry-run');
  expect(await listWaiting()).toEqual(all);
  expect(await retention({ EVENT_RETENTION_DAYS: '30' })).toMatchObject({ code: 0, stderr: '' });
  expect(await listWaiting()).toEqual(all.filter((each) => each !== 'disabled 31'));
});

test('of two concurrent runs of retention, one deletes everything and the other exits, both with code 0', async () => {
  await addDelivered(3_000, 40);
  const settings = { MESSAGE_RETENTION_DAYS: '30' };
  const hurry = await slowDown();
  const first = retention(settings);
  await untilDeleting(30_000);
  const second = await retention(settings);
  await hurry();
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toMatch(/^Another run is in progress/);
  expect(await first).toMatchObject({ code: 0, stderr: '' });
  expect(await count()).toEqual({ messages: 0, events: 0 });
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'the next run of retention continues one that %s ended',
  async (signal) => {
    await addDelivered(3_000, 40);
    const hurry = await slowDown();
    const settings = { DATABASE_URL: database.url, MESSAGE_RETENTION_DAYS: '30' };
    const child = spawn(process.execPath, [FILE], { env: settings, stdio: 'pipe' });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const ended = once(child, 'exit');
    await untilDeleting(30_000);
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    if (signal === 'SIGTERM') {
      expect(code).toBe(0);
      expect(stdout).toContain('Stopped early. The next run continues.\n');
      expect(readCount(stdout, 'Events')).toBe(30_000 - (await count()).events);
    }
    expect((await count()).events).toBeGreaterThan(0);

    await hurry();
    await expect
      .poll(async () => (await retention(settings)).stdout, { timeout: 60_000 })
      .toContain('deleted');
    expect(await count()).toEqual({ messages: 0, events: 0 });
  },
);

test('retention names invalid settings and exits with code 1', async () => {
  const { code, stderr } = await retention({
    MESSAGE_RETENTION_DAYS: '30',
    EVENT_RETENTION_DAYS: '31',
  });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'The settings are not usable:\n  EVENT_RETENTION_DAYS: must not be above ' +
      'MESSAGE_RETENTION_DAYS, because events are deleted with their message\n',
  });
  expect((await retention({ MESSAGE_RETENTION_DAYS: '6' })).stderr).toContain('from 7 to 36500');
  expect((await retention({ EVENT_RETENTION_DAYS: '0' })).stderr).toContain('from 1 to 36500');
});

test('retention reports its success and its failure as metrics, and a dry run does not', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-retention-'));
  const file = path.join(folder, 'switchboard_retention.prom');
  const settings = { MESSAGE_RETENTION_DAYS: '30', METRICS_TEXTFILE_DIR: folder };
  try {
    await retention(settings, '--dry-run');
    expect(await readdir(folder)).toEqual([]);
    await retention(settings);
    const succeeded = await readFile(file, 'utf8');
    expect(succeeded).toMatch(/^switchboard_retention_last_run_success 1$/m);
    const [success = ''] =
      /^switchboard_retention_last_success_.* \d{10}\.\d{3}$/m.exec(succeeded) ?? [];
    await client.query('ALTER TABLE message_records RENAME TO elsewhere');
    expect((await retention(settings)).code).toBe(1);
    const failed = await readFile(file, 'utf8');
    expect(failed).toMatch(/^switchboard_retention_last_run_success 0$/m);
    expect(failed).toContain(success);
    expect(success).not.toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('retention refuses a misspelled option and deletes nothing', async () => {
  await addDelivered(1, 40);
  const { code, stderr } = await retention({ MESSAGE_RETENTION_DAYS: '30' }, '--dryrun');
  expect(code).toBe(1);
  expect(stderr).toContain('--dryrun');
  expect(await count()).toEqual({ messages: 2, events: 10 });
});
