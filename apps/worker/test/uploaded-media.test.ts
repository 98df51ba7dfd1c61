import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMediaFileStore } from '@switchboard/database';
import { EVENTUALLY, createWorkspaceFixture, startApi } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startEnvironment } from './start-environment.ts';

const RECIPIENT = '+15557654321';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function start() {
  const environment = await startEnvironment();
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-worker-media-'));
  const api = await startApi({
    DATABASE_URL: environment.databaseUrl,
    MEDIA_FOLDER: folder,
    TWILIO_API_URL: environment.simulator.url,
  });
  onTestFinished(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const workspace = await createWorkspaceFixture(environment.databaseUrl);
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer>, type: string) => {
    const headers = { authorization: `Bearer ${workspace.apiKey}`, 'content-type': type };
    const response = await fetch(`${api.url}/api${path}`, { method: 'POST', headers, body });
    expect(response.status).toBeLessThan(300);
    return (await response.json()) as Record<string, unknown>;
  };
  const upload = async (): Promise<{ id: string; url: string; path: string }> => {
    const file = await post('/media', new Uint8Array(PNG), 'image/png');
    const id = String(file['id']);
    return { id, url: String(file['url']), path: join(folder, workspace.workspaceId, id) };
  };
  const send = (media_urls: string[], more: object = {}) =>
    post(
      '/messages',
      JSON.stringify({ to: RECIPIENT, body: '', media_urls, ...more }),
      'application/json',
    );
  const startWorker = () => environment.startWorker({ PUBLIC_URL: api.url, MEDIA_FOLDER: folder });
  /** Makes all files due for a check, as after a day without use. */
  const age = () =>
    environment.database.pool.query(
      `UPDATE media_files SET stored_at = stored_at - interval '2 days', check_at = now() - interval '1 hour'`,
    );
  const listFiles = async (): Promise<string[]> => {
    const { rows } = await environment.database.pool.query<{ id: string }>(
      'SELECT id FROM media_files ORDER BY id',
    );
    return rows.map(({ id }) => id);
  };
  return { environment, api, workspace, upload, send, startWorker, age, listFiles };
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

test('the provider gets a signed link when the message is sent, and can fetch the file only with it', async () => {
  const { environment, api, upload, send, startWorker } = await start();
  const file = await upload();
  const soon = new Date(Date.now() + 6_000).toISOString();
  const sent = await send([file.url, 'https://example.com/cat.jpg'], { scheduled_at: soon });
  await startWorker();
  await environment.until(String(sent['id']), (row) => row.dispatch === 'accepted');
  const [line] = (await environment.ledger()) as unknown as { media_urls: string[] }[];
  const [link = '', other] = line?.media_urls ?? [];
  expect(other).toBe('https://example.com/cat.jpg');
  expect(link).toMatch(`${api.url}/api/media-links/${file.id}/media.png?expires=`);

  const fetched = await fetch(link);
  expect(fetched.status).toBe(200);
  expect(Buffer.from(await fetched.arrayBuffer()).equals(PNG)).toBe(true);
  const expected = {
    'content-type': 'image/png',
    'content-length': String(PNG.length),
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
  expect(Object.fromEntries(fetched.headers)).toMatchObject(expected);
  const head = await fetch(link, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(Object.fromEntries(head.headers)).toMatchObject(expected);

  const url = new URL(link);
  const expires = Number(url.searchParams.get('expires'));
  expect(expires * 1_000 - Date.now()).toBeGreaterThan(11 * 3_600_000);
  url.searchParams.set('expires', String(expires + 3_600));
  for (const wrong of [link.split('?')[0] ?? '', url.href, link.slice(0, -2)]) {
    expect((await fetch(wrong)).status).toBe(403);
  }
});

test('a worker deletes files that no message has used for a day and files of deleted messages, and no others', async () => {
  const { environment, upload, send, startWorker, age, listFiles } = await start();
  const { pool } = environment.database;
  const unused = await upload();
  const used = await upload();
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  const message = await send([used.url], { scheduled_at });
  const fresh = await upload();
  await age();
  await pool.query(`UPDATE media_files SET check_at = now() + interval '1 hour' WHERE id = $1`, [
    fresh.id,
  ]);

  const first = await startWorker();
  await expect.poll(listFiles, EVENTUALLY).toEqual([used.id, fresh.id].toSorted());
  await first.stop();
  expect(await Promise.all([unused, used, fresh].map(({ path }) => exists(path)))).toEqual([
    false,
    true,
    true,
  ]);

  // As the retention of messages does.
  await pool.query('DELETE FROM message_records WHERE id = $1', [message['id']]);
  await age();
  await pool.query(`UPDATE media_files SET check_at = now() + interval '1 hour' WHERE id = $1`, [
    fresh.id,
  ]);
  await startWorker();
  await expect.poll(listFiles, EVENTUALLY).toEqual([fresh.id]);
  expect(await exists(used.path)).toBe(false);
});

test('the file that an unfinished upload left behind is deleted with its row', async () => {
  const { environment, workspace, startWorker, listFiles } = await start();
  const { pool } = environment.database;
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO media_files (id, workspace_id, name, size, created_at, check_at)
     VALUES (uuid_v7(now()), $1, '', 1, now() - interval '2 hours', now() - interval '1 hour') RETURNING id`,
    [workspace.workspaceId],
  );
  expect(await listFiles()).toEqual([rows[0]?.id]);
  await startWorker();
  await expect.poll(listFiles, EVENTUALLY).toEqual([]);
});

test('a file that is used while it is checked is either kept for its message or refused', async () => {
  const { environment, workspace, upload, age } = await start();
  const files = createMediaFileStore(environment.database);
  for (let round = 0; round < 20; round += 1) {
    const { id } = await upload();
    await age();
    const messageId = crypto.randomUUID();
    const [taken, used] = await Promise.all([
      files.takeUnused(1_000),
      files.use(workspace.workspaceId, [{ messageId, ids: [id] }]),
    ]);
    const isDeleted = taken.unused.some((file) => file.id === id);
    expect(isDeleted).toBe(used.length === 0);
    const isFound = (await files.find(workspace.workspaceId, id)) !== null;
    expect(isFound).toBe(!isDeleted);
  }
});

test('messages that use several files at once, in any order, do not deadlock', async () => {
  const { environment, workspace, upload, age } = await start();
  const files = createMediaFileStore(environment.database);
  const ids = [(await upload()).id, (await upload()).id, (await upload()).id];
  for (let round = 0; round < 10; round += 1) {
    await age();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        files.use(workspace.workspaceId, [
          { messageId: crypto.randomUUID(), ids: at % 2 === 0 ? ids : ids.toReversed() },
        ]),
      ),
    );
    expect(results.map((used) => used.length)).toEqual(Array.from({ length: 8 }, () => 3));
  }
});
