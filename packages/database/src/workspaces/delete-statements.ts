/**
 * The tables with rows of a workspace, in the order in which their rows are deleted: webhook endpoints before what would be an
 * event for them, and audit entries before the keys that they name. `message_records` has triggers that delete the progress and the provider's
 * identifiers of the messages. Each has its primary key, in the order of which the rows are deleted: without an order, PostgreSQL may read
 * the table from its start for each batch, past all that the batches before it have deleted.
 */
const KEYS = {
  webhook_batches: 'workspace_id, endpoint_id, first_sequence',
  webhook_deliveries: 'workspace_id, endpoint_id, sequence',
  webhook_other_events: 'workspace_id, endpoint_id, added_at, event_id',
  webhook_endpoints: 'workspace_id, id',
  message_redactions: 'workspace_id, erasure_id, message_id',
  erasures: 'workspace_id, id',
  media_uses: 'workspace_id, media_id, message_id',
  message_chunks: 'workspace_id, last_id',
  message_events: 'workspace_id, seq',
  message_records: 'workspace_id, id',
  message_progress: 'workspace_id, id',
  idempotency_keys: 'workspace_id, key',
  unmatched_callbacks: 'workspace_id, id',
  message_breakdowns: 'workspace_id, day, dimension, value, status',
  message_recounts: 'workspace_id, day, id',
  message_counts: 'workspace_id, day, direction, status',
  message_slot_counts: 'workspace_id, day, slot, direction, status',
  notes: 'workspace_id, id',
  conversations: 'workspace_id, number',
  contacts: 'workspace_id, id',
  contact_field_names: 'workspace_id, name',
  opt_outs: 'workspace_id, number',
  opt_ins: 'workspace_id, number',
  sent_keyword_replies: 'workspace_id, number, keyword',
  saved_replies: 'workspace_id, id',
  saved_views: 'workspace_id, id',
  session_deliveries: 'workspace_id, id',
  long_inbound_messages: 'workspace_id, id',
  provider_problems: 'workspace_id, provider_id, kind',
  provider_session_leases: 'workspace_id, provider_id, place',
  phone_numbers: 'workspace_id, id',
  workspace_routing: 'workspace_id',
  provider_accounts: 'workspace_id, id',
  removed_accounts: 'workspace_id, vendor_account_id',
  audit_entries: 'workspace_id, id',
  replaced_keys: 'workspace_id, api_key_id, version',
  api_keys: 'workspace_id, id',
  invites: 'workspace_id, email',
  members: 'workspace_id, user_id',
  event_counters: 'workspace_id, slot',
} as const;

export const WORKSPACE_TABLES = Object.keys(KEYS) as Table[];

type Table = keyof typeof KEYS;

/** Rows of one statement. One of a message takes its triggers with it. */
const BATCH_SIZE = 500;

/** Rows in use are skipped, so that no statement waits for another one here. */
const toDelete = (table: Table): string => `
DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM ${table} WHERE workspace_id = $1::uuid
  ORDER BY ${KEYS[table]} LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))
  AND workspace_id = $1::uuid RETURNING 1`;

/** Each deletes some rows of the workspace, and returns one row for each. */
export const DELETE_SOME: readonly string[] = WORKSPACE_TABLES.map(toDelete);

/** The statement before which all webhook endpoints must be deleted, so that they receive no event of the deletion. */
export const FIRST_EVENT_SOURCE = toDelete('message_redactions');

// The identifiers of messages have no workspace in their key, and the rest of the messages' tables no reference to it.
const WITHOUT_REFERENCE = [
  'message_records',
  'message_progress',
  'message_events',
  'idempotency_keys',
  'unmatched_callbacks',
  'message_breakdowns',
  'message_recounts',
  'message_counts',
  'message_slot_counts',
  'contact_field_names',
] as const satisfies readonly Table[];

/** Files are deleted from the storage before their rows. */
const LEFT = ['media_files', ...WITHOUT_REFERENCE].map(
  (table) => `EXISTS (SELECT FROM ${table} WHERE workspace_id = $1::uuid)`,
);

/** Whether rows are left that would not be deleted with the workspace. */
export const HAS_MORE = `SELECT ${LEFT.join('\n  OR ')} AS "hasMore"`;
