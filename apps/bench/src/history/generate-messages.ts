import { createHash } from 'node:crypto';
import pg from 'pg';

const CHUNK = 500_000;

/**
 * Inserts messages of the last 90 days for all workspaces in turn. Of a million, 100,000 are received,
 * 70,000 failed, 70,000 undelivered, 10 canceled, and the rest delivered. They use five numbers of the
 * workspaces and 50,000 other numbers, of which 50 have the country code 44. One API key sends most of
 * them, a second key a tenth, a third key 100, and a person 10,000. One provider account sends most of
 * them, and a second account 1,000.
 */
const INSERT = `
INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
  created_at, updated_at, sent_at, delivered_at, provider_id, vendor_account_id, provider_sid, provider_status,
  dispatch, version, attempt, sent_by, sent_by_id)
SELECT uuid_v7(at), workspace_id, direction::direction,
  CASE direction WHEN 'outbound' THEN other ELSE ours END,
  CASE direction WHEN 'outbound' THEN ours ELSE other END,
  'Your table for two is booked, number ' || n, 1, status::message_status, at, at, at, at,
  md5(workspace_id || account)::uuid, account, 'SM' || md5(n::text),
  status::message_status, 'accepted', 3, 1,
  CASE direction WHEN 'outbound' THEN (CASE WHEN is_person THEN 'user' ELSE 'api_key' END)::sender_kind END,
  CASE direction WHEN 'outbound' THEN md5(workspace_id || CASE WHEN is_person THEN 'person'
    WHEN n / 10 % 10000 = 5 THEN 'rare key' WHEN n / 10 % 10 = 4 THEN 'second key' ELSE 'first key' END)::uuid END
FROM (
  SELECT n, date_trunc('milliseconds', now() - interval '90 days'
      + (n / $3::float8) * interval '90 days') AS at,
    ($4::uuid[])[1 + n % cardinality($4::uuid[])] AS workspace_id,
    CASE WHEN hash % 10 = 0 AND NOT is_rare THEN 'inbound' ELSE 'outbound' END AS direction,
    CASE WHEN is_rare THEN 'canceled' WHEN hash % 10 = 0 THEN 'received'
      WHEN hash % 100 < 85 THEN 'delivered' WHEN hash % 100 < 93 THEN 'failed'
      ELSE 'undelivered' END AS status,
    (CASE WHEN hash % 50000 < 49950 THEN '+1202' ELSE '+4420' END)
      || lpad((hash % 50000)::text, 7, '0') AS other,
    n / 10 % 100 = 6 AS is_person,
    CASE WHEN n / 10 % 1000 = 3 THEN 'second' ELSE 'first' END AS account,
    '+1500555' || lpad((hash / 10 % 5)::text, 4, '0') AS ours
  FROM (
    SELECT n, (hashint8(n) & 2147483647) AS hash, n / cardinality($4::uuid[]) % 100000 = 7 AS is_rare
    FROM generate_series($1::bigint, $2::bigint) AS n
  ) numbered
) generated`;

const ADD_SIDS = `
INSERT INTO provider_sids (provider_sid, vendor_account_id, workspace_id, message_id, direction)
SELECT provider_sid, vendor_account_id, workspace_id, id, direction FROM message_records`;

const ACCOUNTS = ['first', 'second'];
const KEYS = ['first key', 'second key', 'rare key'];
const PEOPLE = ['person'];
/** The contacts of the first workspace, each with one of the numbers. */
const CONTACTS = 20_000;

const ADD_ACCOUNTS = `
INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
  secret_last4, created_at, updated_at)
SELECT md5(w.id || given)::uuid, w.id, 'sandbox', given, '', '', now(), now()
FROM workspaces w CROSS JOIN unnest($1::text[]) AS given
ON CONFLICT DO NOTHING`;

const ADD_KEYS = `
INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, last4, created_at)
SELECT md5(w.id || given)::uuid, w.id, given, sha256((w.id || given)::bytea), '', '', now()
FROM workspaces w CROSS JOIN unnest($1::text[]) AS given
ON CONFLICT DO NOTHING`;

const ADD_CONTACTS = `
INSERT INTO contacts (id, workspace_id, number, name, search_text, created_at, updated_at)
SELECT gen_random_uuid(), $1::uuid, number, name, lower(name) || E'\\n' || number, now(), now()
FROM (
  SELECT '+1202' || lpad(n::text, 7, '0') AS number, 'Ada Example ' || n AS name
  FROM generate_series(1, $2::int) n
) generated
ON CONFLICT DO NOTHING`;

/** Returns the ids of the accounts, API keys and people of a workspace, from the most to the least used. */
export function idsOf(workspaceId: string) {
  const toUuids = (names: readonly string[]) =>
    names.map((name) =>
      createHash('md5')
        .update(workspaceId + name)
        .digest('hex')
        .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'),
    );
  return { accounts: toUuids(ACCOUNTS), keys: toUuids(KEYS), people: toUuids(PEOPLE) };
}

/**
 * Replaces the messages in the database with generated ones. Creates the indexes after the rows, which is
 * many times faster, and in the same transaction, so that an interrupted run keeps the indexes.
 */
export async function generateMessages(
  databaseUrl: string,
  { messages, workspaceIds }: { messages: number; workspaceIds: readonly string[] },
  progress: (what: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`SET synchronous_commit = off; SET maintenance_work_mem = '256MB'`);
    await client.query('BEGIN');
    await client.query(
      'TRUNCATE message_records, message_progress, provider_sids, message_chunks, message_breakdowns',
    );
    const { rows } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE tablename = 'message_records' AND indexname <> 'message_records_pkey'`,
    );
    for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
    for (let first = 1; first <= messages; first += CHUNK) {
      const last = Math.min(first + CHUNK - 1, messages);
      await client.query(INSERT, [first, last, messages, workspaceIds]);
      progress(`${last} of ${messages} rows`);
    }
    await client.query(ADD_SIDS);
    progress('indexes');
    for (const { definition } of rows) await client.query(definition);
    await client.query(ADD_ACCOUNTS, [ACCOUNTS]);
    await client.query(ADD_KEYS, [KEYS]);
    await client.query(ADD_CONTACTS, [workspaceIds[0], CONTACTS]);
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE message_records');
    await client.query('VACUUM ANALYZE contacts');
  } finally {
    await client.end();
  }
}
