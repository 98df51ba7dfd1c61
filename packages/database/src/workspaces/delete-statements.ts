/**
 * The tables with rows of a workspace, in the order in which their rows are deleted: webhook endpoints before what would be an
 * event for them, and audit entries before the keys that they name. `message_records` has triggers that delete the progress and the provider's
 * identifiers of the messages.
 */
export const WORKSPACE_TABLES = [
  'webhook_batches',
  'webhook_deliveries',
  'webhook_other_events',
  'webhook_endpoints',
  'message_redactions',
  'erasures',
  'media_uses',
  'message_chunks',
  'message_events',
  'message_records',
  'message_progress',
  'idempotency_keys',
  'unmatched_callbacks',
  'message_breakdowns',
  'message_recounts',
  'message_counts',
  'message_slot_counts',
  'notes',
  'conversations',
  'contacts',
  'contact_field_names',
  'opt_outs',
  'opt_ins',
  'sent_keyword_replies',
  'saved_replies',
  'saved_views',
  'session_deliveries',
  'long_inbound_messages',
  'provider_problems',
  'provider_session_leases',
  'phone_numbers',
  'workspace_routing',
  'provider_accounts',
  'removed_accounts',
  'audit_entries',
  'replaced_keys',
  'api_keys',
  'invites',
  'members',
  'event_counters',
] as const;

type Table = (typeof WORKSPACE_TABLES)[number];

/** Rows of one statement. One of a message takes its triggers with it. */
const BATCH_SIZE = 500;

/** Rows in use are skipped, so that no statement waits for another one here. */
const toDelete = (table: string): string => `
DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM ${table} WHERE workspace_id = $1::uuid LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))
  AND workspace_id = $1::uuid RETURNING 1`;

/** Each deletes some rows of the workspace, and returns one row for each. */
export const DELETE_SOME: readonly string[] = WORKSPACE_TABLES.map(toDelete);

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
