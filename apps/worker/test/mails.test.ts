import { EVENTUALLY, startMailServer } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEnvironment } from './start-environment.ts';

const MAIL_FROM = 'switchboard@example.com';

async function start() {
  const environment = await startEnvironment();
  const { rows } = await environment.database.pool.query<{ id: string; email: string }>(
    `INSERT INTO users (id, email, name, password_hash, created_at)
     VALUES (uuid_v7(now()), 'ada@example.com', 'Ada', 'hash', now()) RETURNING id, email`,
  );
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await environment.database.pool.query<Row>(sql, values)).rows;
  const request = (recipient = 'ada@example.com') =>
    query(
      `INSERT INTO mails (key, kind, recipient, expires_at)
       VALUES ($1, 'password_reset', $1, now() + interval '2 hours')`,
      [recipient],
    );
  return { ...environment, user: rows[0], query, request };
}

test('a mail that the server refuses for a time is sent later, with a token that replaces the first one', async () => {
  const { startWorker, query, request } = await start();
  let refusals = 1;
  const server = await startMailServer({
    onRcptTo(_address, _session, callback) {
      if (refusals-- > 0) callback(Object.assign(new Error('4.7.1 later'), { responseCode: 451 }));
      else callback();
    },
  });
  onTestFinished(() => server.close());
  await request();
  const { logs } = await startWorker({ SMTP_URL: server.url, MAIL_FROM });
  const waiting = () =>
    query<{ last_error: string }>('SELECT last_error FROM mails WHERE last_error IS NOT NULL');
  await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), EVENTUALLY);
  expect((await waiting())[0]?.last_error).toContain('4.7.1 later');
  const [before] = await query<{ token_hash: Buffer }>('SELECT token_hash FROM account_tokens');
  expect(logs).toContainEqual(
    expect.objectContaining({ msg: 'failed to send a mail', level: 'error', attempt: 1 }),
  );
  await query('UPDATE mails SET next_attempt_at = now()');
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), EVENTUALLY);
  const [after] = await query<{ token_hash: Buffer }>('SELECT token_hash FROM account_tokens');
  expect(after?.token_hash.equals(before?.token_hash ?? Buffer.alloc(0))).toBe(false);
  await vi.waitFor(async () => expect(await query('SELECT 1 FROM mails')).toEqual([]), EVENTUALLY);
  expect(JSON.stringify(logs)).not.toContain('ada@example.com');
});

test('a mail that a worker took before it died is sent by another worker when the lease ends', async () => {
  const { startWorker, query, request } = await start();
  const server = await startMailServer();
  onTestFinished(() => server.close());
  await request();
  await query(`UPDATE mails SET attempts = 1, next_attempt_at = now() + interval '2 seconds'`);
  await startWorker({ SMTP_URL: server.url, MAIL_FROM });
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), EVENTUALLY);
});

test('a mail to a mailbox that does not exist is given up, and others are still sent', async () => {
  const { startWorker, query, request } = await start();
  await query(
    `INSERT INTO users (id, email, name, password_hash, created_at)
     VALUES (uuid_v7(now()), 'gone@example.com', 'Gone', 'hash', now())`,
  );
  const server = await startMailServer({
    onRcptTo({ address }, _session, callback) {
      const isGone = address === 'gone@example.com';
      if (isGone) callback(Object.assign(new Error('5.1.1 no mailbox'), { responseCode: 550 }));
      else callback();
    },
  });
  onTestFinished(() => server.close());
  await request('gone@example.com');
  await request();
  const { logs } = await startWorker({ SMTP_URL: server.url, MAIL_FROM });
  await vi.waitFor(async () => expect(await query('SELECT 1 FROM mails')).toEqual([]), EVENTUALLY);
  expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.com']]);
  expect(logs).toContainEqual(expect.objectContaining({ msg: 'mail refused by the server' }));
});

test('a workspace sends 100 invitations an hour, and those that wait for the next hour are limited there, too', async () => {
  const { startWorker, query, addWorkspace } = await start();
  const { workspaceId } = await addWorkspace();
  const server = await startMailServer();
  onTestFinished(() => server.close());
  await query(
    `INSERT INTO invites (workspace_id, email, role, token_hash, invited_by, created_at, expires_at)
     SELECT $1, 'guest' || n || '@example.com', 'member', sha256(n::text::bytea), u.id, now(), now() + interval '1 day'
     FROM generate_series(1, 103) n, users u WHERE u.email = 'ada@example.com'`,
    [workspaceId],
  );
  await query(
    `INSERT INTO mails (key, kind, recipient, workspace_id, expires_at)
     SELECT email, 'invitation', email, workspace_id, now() + interval '1 day' FROM invites`,
  );
  await startWorker({ SMTP_URL: server.url, MAIL_FROM });
  const countWaiting = async () => {
    // Longer than the lease of a mail that is being sent.
    const later = `next_attempt_at > now() + interval '10 minutes'`;
    return (await query(`SELECT 1 FROM mails WHERE ${later}`)).length;
  };
  const settle = () =>
    vi.waitFor(async () => {
      expect(await query('SELECT 1 FROM mails')).toHaveLength(3);
      expect(await countWaiting()).toBe(3);
    }, EVENTUALLY);
  await settle();
  expect(server.mails).toHaveLength(100);
  // As at the end of the hour, if others have used up the limit of the next one.
  await query('UPDATE mails SET next_attempt_at = now()');
  await settle();
  expect(server.mails).toHaveLength(100);
});
