import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Role, createUuidV7, deliveryIdOf } from '@switchboard/core';
import { createInviteToken, hashToken } from '@switchboard/credentials';
import {
  type WorkspaceFixture,
  createWorkspaceFixture,
  updateMessages,
} from '@switchboard/testing';
import type pg from 'pg';
import { insertErasures } from '../fill-quotas.ts';
import { PNG } from '../media-samples.ts';

/** A workspace with one resource of each kind. */
export interface Tenant extends WorkspaceFixture {
  /** The ids of its resources by the names of the path parameters. */
  params: Record<string, string[]>;
  /** The id of the received message. `params.messageId` is the sent one. */
  receivedIds: string[];
}

let made = 0;

/** `mediaFolder` is the storage of uploaded files. */
export async function createTenant(
  databaseUrl: string,
  pool: pg.Pool,
  mediaFolder: string,
): Promise<Tenant> {
  made += 1;
  const ownNumber = `+1555${String(3_000_000 + made)}`;
  const recipient = `+1555${String(4_000_000 + made)}`;
  const fixture = await createWorkspaceFixture(databaseUrl, { from: ownNumber });
  const { workspaceId } = fixture;
  const messageId = createUuidV7(Date.now());
  const sid = `SM${messageId.replaceAll('-', '')}`;
  await pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, status, created_at,
       updated_at, dispatch, vendor_account_id, provider_sid, provider_id)
     VALUES ($1, $2, 'outbound', $3, $4, 1, 'scheduled', now(), now(), 'ready', $5, $6, $7)`,
    [
      messageId,
      workspaceId,
      recipient,
      `words of ${workspaceId}`,
      fixture.accountSid,
      sid,
      fixture.providerId,
    ],
  );
  const receivedId = createUuidV7(Date.now());
  const receivedSid = `MM${receivedId.replaceAll('-', '')}`;
  await pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, media, segments, status,
       created_at, updated_at, dispatch, vendor_account_id, provider_sid, provider_id)
     VALUES ($1, $2, 'inbound', $3, $4, $5, $6, 1, 'received', now(), now(), 'accepted', $7, $8, $9)`,
    [
      receivedId,
      workspaceId,
      ownNumber,
      recipient,
      `answer to ${workspaceId}`,
      JSON.stringify([{ url: 'https://10.0.0.1/media', content_type: 'image/png' }]),
      fixture.accountSid,
      receivedSid,
      fixture.providerId,
    ],
  );
  const dueAt = `CASE direction WHEN 'outbound' THEN now() + interval '1 day' END`;
  await updateMessages(pool, {
    set: `due_at = ${dueAt}, not_before = ${dueAt}`,
    where: 'workspace_id = $1',
    values: [workspaceId],
  });
  await pool.query(
    `INSERT INTO opt_outs (workspace_id, number, reason, created_at) VALUES ($1, $2, 'STOP', now())`,
    [workspaceId, recipient],
  );
  const contactId = createUuidV7(Date.now());
  await pool.query(
    `INSERT INTO contacts (id, workspace_id, number, name, search_text, created_at, updated_at)
     VALUES ($1, $2, $3, $4, '', now(), now())`,
    [contactId, workspaceId, recipient, `contact of ${workspaceId}`],
  );
  const erasureId = createUuidV7(Date.now());
  await insertErasures((text, values) => pool.query(text, values), workspaceId, 1, erasureId);
  const replyId = createUuidV7(Date.now());
  await pool.query(
    `INSERT INTO saved_replies (id, workspace_id, name, body, created_at, updated_at)
     VALUES ($1, $2, 'A reply', $3, now(), now())`,
    [replyId, workspaceId, `reply of ${workspaceId}`],
  );
  const noteId = createUuidV7(Date.now());
  await pool.query(
    `INSERT INTO notes (id, workspace_id, number, author_id, body, created_at)
     VALUES ($1, $2, $3, $4, $5, now())`,
    [noteId, workspaceId, recipient, fixture.userId, `note of ${workspaceId}`],
  );
  const viewId = createUuidV7(Date.now());
  await pool.query(
    `INSERT INTO saved_views (id, workspace_id, name, filters, created_at, updated_at)
     VALUES ($1, $2, $3, '{"status":"failed"}', now(), now())`,
    [viewId, workspaceId, `view of ${workspaceId}`],
  );
  const [number] = (
    await pool.query<{ id: string }>('SELECT id FROM phone_numbers WHERE workspace_id = $1', [
      workspaceId,
    ])
  ).rows;
  const sessions = await pool.query<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [
    fixture.userId,
  ]);
  const endpointId = await addWebhookEndpoint(pool, workspaceId);
  const { rows: providers } = await pool.query<{ id: string }>(
    'SELECT id FROM provider_accounts WHERE workspace_id = $1',
    [workspaceId],
  );
  const [provider] = providers;
  const { userId } = fixture;
  const invited = `invited-to-${workspaceId}@example.com`;
  const own = await addInvite(pool, { workspaceId, email: invited, userId });
  return {
    ...fixture,
    receivedIds: [receivedId, receivedSid],
    params: {
      workspaceId: [workspaceId],
      messageId: [messageId, sid],
      mediaId: [await addMediaFile(pool, workspaceId, mediaFolder)],
      fileName: ['media.png'],
      numberId: [number?.id ?? ''],
      contactId: [contactId],
      erasureId: [erasureId],
      replyId: [replyId],
      providerId: [provider?.id ?? ''],
      viewId: [viewId],
      noteId: [noteId],
      userId: [fixture.userId],
      keyId: [fixture.apiKeyId],
      endpointId: [endpointId],
      deliveryId: [deliveryIdOf(endpointId, 1)],
      index: ['0'],
      number: [encodeURIComponent(recipient)],
      sessionId: [sessions.rows[0]?.id ?? ''],
      inviteId: [own.id],
      // Routes with these tokens have no workspace and no session.
      resetToken: [`reset-${workspaceId}`],
      emailToken: [`email-${workspaceId}`],
      signInToken: [`link-${workspaceId}`],
      token: [await inviteTenant(pool, fixture)],
    },
  };
}

const OPT_OUT = {
  number: '+15557654321',
  reason: 'STOP',
  created_at: '2026-11-20T04:33:00.123Z',
};

/** Adds an uploaded file. Returns its id. */
async function addMediaFile(pool: pg.Pool, workspaceId: string, folder: string): Promise<string> {
  const id = createUuidV7(Date.now());
  await pool.query(
    `INSERT INTO media_files (id, workspace_id, name, content_type, size, created_at, stored_at, check_at)
     VALUES ($1, $2, $3, 'image/png', $4, now(), now(), now() + interval '1 day')`,
    [id, workspaceId, `file of ${workspaceId}`, PNG.length],
  );
  await mkdir(join(folder, workspaceId), { recursive: true });
  await writeFile(join(folder, workspaceId, id), PNG);
  return id;
}

/** Adds an endpoint with a pending delivery. */
async function addWebhookEndpoint(pool: pg.Pool, workspaceId: string): Promise<string> {
  const id = createUuidV7(Date.now());
  await pool.query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, sealed_secret, event_types, position, next_sequence,
       created_at, updated_at)
     VALUES ($1, $2, 'https://example.com/', 'sealed', '{}', '{}', 2, now(), now())`,
    [id, workspaceId],
  );
  await pool.query(
    `INSERT INTO webhook_deliveries (endpoint_id, sequence, workspace_id, event_id, event_type, data,
       event_at, status, next_attempt_at, created_at)
     VALUES ($1, 1, $2, $1, 'opt_out.created', $3, now(), 'pending', now(), now())`,
    [id, workspaceId, JSON.stringify(OPT_OUT)],
  );
  return id;
}

/** Invites the tenant's user to a new workspace. Returns the token. */
async function inviteTenant(pool: pg.Pool, { email, userId }: WorkspaceFixture): Promise<string> {
  const workspaceId = createUuidV7(Date.now());
  await pool.query(`INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'Inviting', now())`, [
    workspaceId,
  ]);
  return (await addInvite(pool, { workspaceId, email, userId })).token;
}

async function addInvite(
  pool: pg.Pool,
  { workspaceId, email, userId }: { workspaceId: string; email: string; userId: string },
): Promise<{ id: string; token: string }> {
  const token = createInviteToken();
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO invites (workspace_id, email, role, token_hash, invited_by, created_at, expires_at)
     VALUES ($1, $2, 'member', $3, $4, now(), now() + interval '1 day') RETURNING id`,
    [workspaceId, email, hashToken(token), userId],
  );
  return { id: rows[0]?.id ?? '', token };
}

export async function addMember(
  pool: pg.Pool,
  { workspaceId }: Tenant,
  userId: string,
  role: Role,
): Promise<void> {
  await pool.query(`INSERT INTO members VALUES ($1, $2, $3, now())`, [workspaceId, userId, role]);
}

/** Returns all rows of the workspace in all tables. */
export async function readAllRows(pool: pg.Pool, workspaceId: string): Promise<unknown> {
  const tables = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'workspace_id' ORDER BY 1`,
  );
  const all: Record<string, unknown> = {};
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(
      `SELECT to_jsonb(t) AS row FROM "${name}" t WHERE workspace_id = $1 ORDER BY t::text`,
      [workspaceId],
    );
    all[name] = rows;
  }
  all['workspaces'] = (
    await pool.query('SELECT * FROM workspaces WHERE id = $1', [workspaceId])
  ).rows;
  return all;
}
