import { CONTACT_LIMITS, MENTION_RANGES_MAX, QUOTAS } from '@switchboard/core';
import {
  type Sql,
  insertApiKeys,
  insertContacts,
  insertInvites,
  insertMembers,
  insertNotes,
  insertNumbers,
  insertOptOuts,
  insertProviders,
  insertSavedReplies,
  insertSavedViews,
  insertSessions,
  insertWebhookEndpoints,
  insertWorkspaces,
} from '../fill-quotas.ts';
import type { Tenant } from '../tenancy/tenant.ts';

/** Contacts, messages and deliveries of the largest size: more than any page has. */
const LARGE = 2_000;

/** Fills a tenant up to the documented limits. */
export async function fillLimits(sql: Sql, tenant: Tenant): Promise<void> {
  const { workspaceId, userId } = tenant;
  const number = decodeURIComponent(tenant.params['number']?.[0] ?? '');
  await insertOptOuts(sql, workspaceId, 10_000);
  await insertContacts(sql, workspaceId, QUOTAS.contactsPerWorkspace - 1);
  await enlargeContacts(sql, workspaceId);
  await insertNumbers(sql, workspaceId, QUOTAS.numbersPerWorkspace - 1);
  await insertMembers(sql, workspaceId, QUOTAS.membersPerWorkspace - 1);
  await insertInvites(sql, tenant, QUOTAS.invitesPerWorkspace - 1);
  await insertApiKeys(sql, workspaceId, QUOTAS.apiKeysPerWorkspace - 1);
  await insertProviders(sql, workspaceId, QUOTAS.providersPerWorkspace - 1);
  await insertSessions(sql, userId, QUOTAS.sessionsPerUser - 1);
  await insertWorkspaces(sql, userId, QUOTAS.workspacesPerOwner - 1);
  await insertSavedReplies(sql, workspaceId, QUOTAS.savedRepliesPerWorkspace - 1);
  await sql(`UPDATE saved_replies SET body = repeat('b', 1600) WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  await insertSavedViews(sql, workspaceId, QUOTAS.savedViewsPerWorkspace - 1);
  await sql(
    `UPDATE saved_views SET filters = (SELECT jsonb_object_agg(name, repeat('1,', 500))
       FROM unnest(ARRAY['from', 'to', 'error_code', 'sent_by', 'provider', 'status']) name)
     WHERE workspace_id = $1`,
    [workspaceId],
  );
  await insertNotes(sql, { workspaceId, number }, QUOTAS.notesPerConversation - 1);
  await sql(
    `UPDATE notes SET body = rpad(repeat('@n ', $3::int), 2000, 'n'),
       mentions = array_fill($2::uuid, ARRAY[20]),
       mention_ranges = (SELECT jsonb_agg(jsonb_build_object('id', $2::uuid, 'start', n * 3, 'name', 'n'))
         FROM generate_series(0, $3::int - 1) n)
     WHERE workspace_id = $1`,
    [workspaceId, userId, MENTION_RANGES_MAX],
  );
  await sql(
    `INSERT INTO audit_entries (workspace_id, user_id, action, target)
     SELECT $1, $2, 'contact.merged', repeat('t', 200) FROM generate_series(1, 1000)`,
    [workspaceId, userId],
  );
  await insertMessages(sql, workspaceId);
  await insertEvents(sql, tenant);
  await insertWebhookEndpoints(sql, workspaceId, QUOTAS.webhookEndpointsPerWorkspace - 1);
  await insertDeliveries(sql, tenant);
  await insertRouting(sql, tenant);
}

/** Gives contacts as many and as long values as a contact may have, under all names of the workspace. */
function enlargeContacts(sql: Sql, workspaceId: string): Promise<unknown> {
  const { fields, fieldCharacters, tags, tagCharacters, nameCharacters } = CONTACT_LIMITS;
  return sql(
    `WITH chosen AS (
       SELECT id, row_number() OVER (ORDER BY id) AS n FROM contacts
       WHERE workspace_id = $1 AND fields = '{}' ORDER BY id LIMIT $2::int
     )
     UPDATE contacts SET name = rpad('A' || n, $3::int, 'x'),
       tags = ARRAY(SELECT rpad('Tag ' || t, $4::int, 'x') FROM generate_series(1, $5::int) t),
       other_numbers = ARRAY(SELECT '+1888' || (1000000 + 9 * n + o) FROM generate_series(0, 8) o),
       fields = (
         SELECT jsonb_object_agg(rpad('Field ' || (n * $6 + f) % $7, 50, 'x'), repeat('="', $8::int / 2))
         FROM generate_series(1, $6::int) f
       )
     FROM chosen WHERE contacts.id = chosen.id`,
    [
      workspaceId,
      LARGE,
      nameCharacters,
      tagCharacters,
      tags,
      fields,
      QUOTAS.contactFieldNamesPerWorkspace,
      fieldCharacters,
    ],
  );
}

/** Adds messages of 500 conversations, with the longest text and ten media, and a year of counts. */
async function insertMessages(sql: Sql, workspaceId: string): Promise<void> {
  await sql(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, media, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(now() - n * interval '20 minutes'), $1,
       CASE WHEN n % 2 = 0 THEN 'inbound' ELSE 'outbound' END::direction,
       CASE WHEN n % 2 = 0 THEN '+15550000001' ELSE '+1555' || (5000000 + n % 500) END,
       CASE WHEN n % 2 = 0 THEN '+1555' || (5000000 + n % 500) ELSE '+15550000001' END,
       repeat('="', 800),
       (SELECT jsonb_agg(jsonb_build_object('url', 'https://example.com/' || repeat('m', 200),
         'content_type', 'image/png')) FROM generate_series(1, 10)),
       11, CASE WHEN n % 2 = 0 THEN 'received' ELSE 'delivered' END::message_status,
       now() - n * interval '20 minutes', now(), 'accepted'
     FROM generate_series(1, $2::int) n`,
    [workspaceId, LARGE],
  );
  await sql(
    `INSERT INTO message_counts (workspace_id, day, direction, status, n)
     SELECT $1, current_date - n, 'outbound', status, 10
     FROM generate_series(0, 366) n, unnest(enum_range(NULL::message_status)) status
     ON CONFLICT DO NOTHING`,
    [workspaceId],
  );
}

/** Gives a message many events. */
function insertEvents(sql: Sql, { workspaceId, params }: Tenant): Promise<unknown> {
  return sql(
    `INSERT INTO message_events (workspace_id, seq, message_id, type, at, detail, visible, status,
       message_version)
     SELECT $1, 1000000000 + n, $2, 'attempt_failed', now(), n || repeat(' detail', 70), false, 'queued', n
     FROM generate_series(1, 20000) n`,
    [workspaceId, params['messageId']?.[0]],
  );
}

/** Adds deliveries with twenty attempts, each with the longest response. */
function insertDeliveries(sql: Sql, { workspaceId, params }: Tenant): Promise<unknown> {
  return sql(
    `INSERT INTO webhook_deliveries (endpoint_id, sequence, workspace_id, event_id, event_type, data,
       event_at, status, attempts, created_at)
     SELECT $1::uuid, 1000000 + n, $2, $1, 'opt_out.created', '{"number": "+15557654321"}', now(), 'failed',
       (SELECT jsonb_agg(jsonb_build_object('at', '2026-11-20T04:33:00.123Z', 'status_code', 500,
         'duration_ms', 9, 'error', 'HTTP 500', 'response', repeat('r', 1024)))
        FROM generate_series(1, 20)), now()
     FROM generate_series(1, $3::int) n`,
    [params['endpointId']?.[0], workspaceId, LARGE],
  );
}

/** Adds 100 rules with ten accounts each. */
function insertRouting(sql: Sql, { workspaceId }: Tenant): Promise<unknown> {
  return sql(
    `INSERT INTO workspace_routing (workspace_id, rules, updated_at)
     SELECT $1, jsonb_agg(jsonb_build_object('prefix', '+' || (1000 + n), 'providers', shares)), now()
     FROM generate_series(1, 100) n, (
       SELECT jsonb_agg(jsonb_build_object('providerId', id, 'weight', 1)) AS shares
       FROM provider_accounts WHERE workspace_id = $1
     ) accounts`,
    [workspaceId],
  );
}
