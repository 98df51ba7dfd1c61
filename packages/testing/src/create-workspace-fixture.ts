import { randomBytes } from 'node:crypto';
import { createShardedUuid, createUuidV7, SECRET_FIELD } from '@switchboard/core';
import {
  createApiKey,
  createSessionToken,
  hashPassword,
  hashToken,
} from '@switchboard/credentials';
import { createPgClient } from '@switchboard/postgres';
import { createSecretBox } from '@switchboard/runtime';
import { EVENTUALLY } from './eventually.ts';
import { TEST_SECRET_KEY } from './processes/start-app.ts';

/** A workspace with its owner, credentials and number. */
export interface WorkspaceFixture {
  workspaceId: string;
  apiKeyId: string;
  apiKey: string;
  userId: string;
  email: string;
  password: string;
  sessionId: string;
  sessionToken: string;
  /** The default number; a Twilio test number that every send accepts. */
  from: string;
  /** The id of its provider account. */
  providerId: string;
  accountSid: string;
  authToken: string;
}

export interface WorkspaceFixtureOptions {
  /** The owner's email address; unique by default. */
  email?: string;
  /** `false`: the workspace has no provider configured. */
  provider?: boolean;
  /** Unique by default. */
  accountSid?: string;
  authToken?: string;
  /** `false`: the provider has not accepted the credentials yet. */
  verified?: boolean;
  messagingServiceSid?: string | null;
  /** Defaults to `resend`. */
  onUnknown?: 'resend' | 'fail';
  /** `null`: the workspace has no number. */
  from?: string | null;
}

const PASSWORD = 'a long enough password';
const SESSION_MS = 86_400_000;
let passwordHash: Promise<string> | undefined;

/**
 * One statement instead of the stores, because a Prisma client costs a second of CPU time in each process
 * that creates one. Audit entries are not created, because no user did this.
 */
const INSERT = `
WITH
  new_user AS (
    INSERT INTO users (id, email, name, password_hash, created_at)
    SELECT $1::uuid, $2::text, 'Owner', $3::text, $4::timestamptz),
  new_workspace AS (
    INSERT INTO workspaces (id, name, created_at)
    SELECT $5::uuid, 'Test workspace', $4::timestamptz),
  new_member AS (
    INSERT INTO members (workspace_id, user_id, role, created_at)
    SELECT $5::uuid, $1::uuid, 'owner'::role, $4::timestamptz),
  new_counter AS (
    INSERT INTO event_counters (workspace_id, last_seq) SELECT $5::uuid, 0),
  new_provider AS (
    INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
      secret_last4, sender_pool, on_unknown, is_default, verified_credentials,
      created_at, updated_at)
    SELECT $21::uuid, $5::uuid, 'twilio', $6::text, $7::text, $8::text, $9::text, $10::on_unknown, true,
      CASE WHEN $11::boolean THEN $7::text END, $4::timestamptz, $4::timestamptz
    WHERE $7::text IS NOT NULL),
  new_number AS (
    INSERT INTO phone_numbers (id, workspace_id, number, is_default, capabilities, created_at)
    SELECT $12::uuid, $5::uuid, $13::text, true, '{sms,mms}', $4::timestamptz
    WHERE $13::text IS NOT NULL),
  new_key AS (
    INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, last4, created_at)
    SELECT $14::uuid, $5::uuid, 'Test', $15::bytea, $16::text, $17::text, $4::timestamptz)
INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at)
SELECT $18::uuid, $1::uuid, $19::bytea, $4::timestamptz, $4::timestamptz, $20::timestamptz`;

/** Creates a workspace that can send, with an owner, a session of the owner and an API key. */
export async function createWorkspaceFixture(
  databaseUrl: string,
  options: WorkspaceFixtureOptions = {},
): Promise<WorkspaceFixture> {
  const at = new Date();
  const newId = () => createUuidV7(at.getTime());
  const [userId, apiKeyId, sessionId] = [newId(), newId(), newId()];
  const workspaceId = createShardedUuid(at.getTime());
  const providerId = createShardedUuid(at.getTime());
  const email = options.email ?? `owner-${randomBytes(6).toString('hex')}@example.com`;
  const accountSid = options.accountSid ?? `AC${randomBytes(16).toString('hex')}`;
  const authToken = options.authToken ?? randomBytes(16).toString('hex');
  const sealedSecret =
    options.provider === false
      ? null
      : createSecretBox(TEST_SECRET_KEY).seal(authToken, { workspaceId, field: SECRET_FIELD });
  const from = options.from === undefined ? '+15005550006' : options.from;
  const { key, prefix, last4 } = createApiKey();
  const sessionToken = createSessionToken();
  const values = [
    userId,
    email,
    await (passwordHash ??= hashPassword(PASSWORD)),
    at,
    workspaceId,
    accountSid,
    sealedSecret,
    authToken.slice(-4),
    options.messagingServiceSid ?? null,
    options.onUnknown ?? 'resend',
    options.verified !== false,
    newId(),
    from,
    apiKeyId,
    hashToken(key),
    prefix,
    last4,
    sessionId,
    hashToken(sessionToken),
    new Date(at.getTime() + SESSION_MS),
    providerId,
  ];

  const client = createPgClient(databaseUrl, {
    application_name: 'fixture',
    connectionTimeoutMillis: EVENTUALLY.timeout,
    query_timeout: EVENTUALLY.timeout,
  });
  await client.connect();
  try {
    await client.query(INSERT, values);
  } finally {
    await client.end();
  }
  return {
    workspaceId,
    apiKeyId,
    apiKey: key,
    userId,
    email,
    password: PASSWORD,
    sessionId,
    sessionToken,
    from: from ?? '',
    providerId,
    accountSid,
    authToken,
  };
}
