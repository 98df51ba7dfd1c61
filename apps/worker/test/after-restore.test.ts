import { randomBytes } from 'node:crypto';
import {
  EVENTUALLY,
  runCommand,
  startWorker,
  openTestDatabase,
  updateMessages,
} from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { SHORT_LEASES, startEnvironment } from './start-environment.ts';

const RECIPIENT = '+14155550100';

async function afterRestore(databaseUrl: string): Promise<{ code: unknown; out: string }> {
  const env = { DATABASE_URL: databaseUrl };
  const { code, stdout, stderr } = await runCommand('after-restore', { env });
  return { code, out: stdout + stderr };
}

const SETTINGS = {
  // A busy machine may need seconds for a call.
  ...SHORT_LEASES,
  SWEEP_MS: '100',
};
/** Lookups must find nothing before a message is sent. */
const AFTER_LOOKUPS = { timeout: 60_000 };

/** Creates a backup: a copy of the current database. */
async function backUp(url: string): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  const copy = `restored_${randomBytes(6).toString('hex')}`;
  const server = openTestDatabase(url.replace(`/${name}`, '/postgres'));
  onTestFinished(async () => {
    await server.pool.query(`DROP DATABASE IF EXISTS "${copy}" WITH (FORCE)`);
    await server.close();
  });
  // A template database must have no connections. The test's connections are idle.
  await server.pool.query(
    // Waits for the end of each connection.
    'SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE datname = $1',
    [name],
  );
  await server.pool.query(`CREATE DATABASE "${copy}" TEMPLATE "${name}"`);
  return url.replace(`/${name}`, `/${copy}`);
}

async function countAccess(url: string): Promise<unknown> {
  const database = openTestDatabase(url);
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM sessions) AS sessions,
       (SELECT count(*)::int FROM account_tokens) AS tokens`,
  );
  await database.close();
  return rows[0];
}

test('after a restore, all sessions and links to accounts have ended, messages sent after the backup are not sent again, and unsent messages are sent once', async () => {
  const before = await startEnvironment();
  // The setting concerns attempts with an unknown outcome, and must not fail messages without an
  // attempt.
  const { workspaceId } = await before.addWorkspace({ onUnknown: 'fail' });
  const env = (databaseUrl: string) => ({
    DATABASE_URL: databaseUrl,
    TWILIO_API_URL: before.simulator.url,
    ...SETTINGS,
  });
  const sent = [
    await before.accept(workspaceId, RECIPIENT, { hint: false, body: 'one' }),
    await before.accept(workspaceId, RECIPIENT, { hint: false, body: 'two' }),
  ];
  const neverSent = await before.accept(workspaceId, RECIPIENT, { hint: false, body: 'three' });
  const later = await before.accept(workspaceId, RECIPIENT, { hint: false, body: 'four' });
  await updateMessages(before.database.pool, {
    set: `scheduled_at = now() + interval '1 day', not_before = now() + interval '1 day',
       due_at = now() + interval '1 day'`,
    where: 'id = $1',
    values: [later.messageId],
  });
  await before.database.pool.query(`UPDATE message_progress SET due_at = now() WHERE id <> $1`, [
    later.messageId,
  ]);
  await before.database.pool.query(
    `INSERT INTO account_tokens (user_id, purpose, token_hash, email, is_mailed, expires_at)
     SELECT id, 'password_reset', sha256('a'), email, true, now() + interval '1 hour' FROM users`,
  );
  const restored = await backUp(before.databaseUrl);
  expect(await countAccess(restored)).toEqual({ sessions: 1, tokens: 1 });

  // After the backup, two messages are sent and one is canceled.
  await updateMessages(before.database.pool, {
    set: `dispatch = 'canceled', status = 'canceled', due_at = NULL`,
    where: 'id = $1',
    values: [neverSent.messageId],
  });
  const first = await startWorker(env(before.databaseUrl));
  for (const { messageId } of sent) {
    await before.until(messageId, (row) => row.dispatch === 'accepted');
  }
  await first.stop();
  expect(await before.ledger()).toHaveLength(2);

  const readEpoch = async () => {
    const copy = openTestDatabase(restored);
    const { rows } = await copy.pool.query('SELECT current_event_epoch() AS epoch');
    await copy.close();
    return rows[0] as unknown;
  };
  const epochOfBackup = await readEpoch();
  expect(await afterRestore(restored)).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^Messages to look up at the provider before they are sent: 3\.\nSessions ended: [1-9]\d*\. .*\n$/,
    ),
  });
  // A session that a user has ended since the backup, and a link that was used since, must not work again.
  expect(await countAccess(restored)).toEqual({ sessions: 0, tokens: 0 });
  // Clients that resume from an older cursor receive a resync.
  expect(await readEpoch()).not.toEqual(epochOfBackup);
  const second = await startWorker(env(restored));
  onTestFinished(() => second.stop());
  const database = openTestDatabase(restored);
  onTestFinished(() => database.close());
  const read = async () => {
    const { rows } = await database.pool.query<{ body: string; dispatch: string; resends: number }>(
      'SELECT body, dispatch, resends FROM messages ORDER BY id',
    );
    return rows;
  };
  await expect.poll(read, AFTER_LOOKUPS).toEqual([
    { body: 'one', dispatch: 'accepted', resends: 0 },
    { body: 'two', dispatch: 'accepted', resends: 0 },
    { body: 'three', dispatch: 'accepted', resends: 0 },
    { body: 'four', dispatch: 'ready', resends: 0 },
  ]);
  const bodies = (await before.ledger()).map(({ body }) => body).toSorted();
  expect(bodies).toEqual(['one', 'three', 'two']);

  // The command refuses to run because workers are connected.
  const late = await afterRestore(restored);
  expect(late).toEqual({
    code: 1,
    out: 'Workers are connected to this database: stop them first.\n',
  });
});

test('messages that waited for a failing provider are sent once after a restore, regardless of on_unknown', async () => {
  const before = await startEnvironment({ hintGraceMs: 200, settings: SETTINGS });
  const { workspaceId } = await before.addWorkspace({ onUnknown: 'fail' });
  await before.behave({ reject_500: 1 });
  const first = await before.startWorker({ WORKER_CONCURRENCY: '2' });
  for (let i = 0; i < 20; i += 1) await before.accept(workspaceId, RECIPIENT);
  const isFailing = async () => {
    const { failingSince } = await before.database.prisma.providerAccount.findFirstOrThrow({
      where: { workspaceId },
    });
    return failingSince !== null;
  };
  await expect.poll(isFailing, EVENTUALLY).toBe(true);
  await first.stop();
  const restored = await backUp(before.databaseUrl);

  const database = openTestDatabase(restored);
  onTestFinished(() => database.close());
  const count = async (dispatch: string) => {
    const sql = 'SELECT count(*) AS n FROM messages WHERE dispatch = $1';
    const { rows } = await database.pool.query<{ n: number }>(sql, [dispatch]);
    return rows[0]?.n;
  };
  const waiting = await count('ready');
  expect(waiting).toBeGreaterThan(5);
  const { code, out } = await afterRestore(restored);
  expect([code, out]).toEqual([0, expect.stringContaining(`are sent: ${waiting}.`)]);
  const second = await startWorker({
    ...SETTINGS,
    DATABASE_URL: restored,
    TWILIO_API_URL: before.simulator.url,
  });
  onTestFinished(() => second.stop());
  // All lookups have found nothing and the provider still fails, so no message is sent or failed.
  await expect.poll(() => count('ready'), AFTER_LOOKUPS).toBe(waiting);
  expect(await before.ledger()).toHaveLength(0);

  await before.behave({ reject_500: 0 });
  await expect.poll(() => count('accepted'), AFTER_LOOKUPS).toBe(waiting);
  expect(await before.ledger()).toHaveLength(waiting ?? -1);
  // Messages attempted before the backup have an unknown outcome, and the workspace has set `fail`.
  await expect.poll(() => count('unresolved'), AFTER_LOOKUPS).toBe(20 - (waiting ?? 0));
});
