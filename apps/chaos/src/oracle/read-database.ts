import pg from 'pg';
import type { StoredEndpoint } from './check-webhooks.ts';

/** A stored outbound message. */
export interface StoredMessage {
  id: string;
  workspaceId: string;
  to: string;
  body: string;
  media: readonly { url: string }[];
  status: string;
  dispatch: string;
  providerSid: string | null;
  /** The account of the latest attempt, by the provider's identifier. */
  vendorAccountId: string | null;
  resends: number;
  /** Whether the provider's identifier comes from the provider's list. */
  foundByLookup: boolean;
  errorCode: string | null;
  createdAt: Date;
}

/** A stored inbound message. */
export interface StoredInbound {
  id: string;
  workspaceId: string;
  from: string;
  body: string;
  providerSid: string;
  /** Whether its sender has opted out of the workspace. */
  optedOut: boolean;
  createdAt: Date;
}

export interface StoredKey {
  workspaceId: string;
  key: string;
  messageId: string;
}

/** An event that clients receive. */
export interface StoredEvent {
  id: string;
  workspaceId: string;
  type: string;
  messageId: string;
  status: string;
  providerSid: string | null;
  /** The time of the database's clock. */
  at: Date;
}

/** A call to the provider, as recorded by the event at its start. */
export interface StoredAttempt {
  workspaceId: string;
  messageId: string;
  /** The type of the provider account. */
  provider: string;
  at: Date;
}

export interface StoredState {
  messages: StoredMessage[];
  inbound: StoredInbound[];
  attempts: StoredAttempt[];
  keys: StoredKey[];
  /** In order within each workspace. */
  events: StoredEvent[];
  /** Workspaces whose events are not numbered 1, 2, 3 and so on. */
  workspacesWithGaps: string[];
}

// Only a status webhook or a receipt resolves an unknown outcome at these providers, and the last status of a
// message at Vonage and over SMPP is not polled. If the carrier has lost the webhook, nothing more happens for a day.
const WITHOUT_LOOKUP = `SELECT id FROM provider_accounts WHERE type IN ('telnyx', 'vonage', 'smpp')`;
const WITHOUT_POLL = `SELECT id FROM provider_accounts WHERE type IN ('vonage', 'smpp')`;

/** Returns the messages with work that is due or in progress. */
const UNFINISHED = `direction = 'outbound' AND (
  dispatch IN ('ready', 'inflight')
  OR (dispatch = 'unknown' AND (provider_id IN (${WITHOUT_LOOKUP})) IS NOT TRUE)
  OR (dispatch = 'accepted' AND status IN ('queued', 'sending', 'sent')
    AND (provider_id IN (${WITHOUT_POLL})) IS NOT TRUE))`;

/** Reads the database for the oracle with its own SQL, without code of the service. */
export interface DatabaseReader {
  countUnfinished(): Promise<number>;
  /** Counts the enabled webhook endpoints that have not received all their events. */
  countBehind(): Promise<number>;
  readEndpoints(): Promise<StoredEndpoint[]>;
  /** Counts how many of these identifiers are stored as inbound messages. */
  countInbound(sids: readonly string[]): Promise<number>;
  readState(): Promise<StoredState>;
  /** Returns whole rows with their events, as evidence. */
  dump(messageIds: readonly string[]): Promise<unknown>;
  listUnfinished(): Promise<string[]>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;

export async function openDatabase(url: string): Promise<DatabaseReader> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  await client.connect();

  async function read<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return (await client.query<Row>(text, values)).rows;
  }

  return {
    async countUnfinished() {
      const rows = await read<{ n: number }>(
        `SELECT count(*)::int AS n FROM messages WHERE ${UNFINISHED}`,
      );
      return rows[0]?.n ?? 0;
    },

    async countBehind() {
      const rows = await read<{ n: number }>(
        `SELECT count(*)::int AS n FROM webhook_endpoints w WHERE w.enabled AND (
           EXISTS (SELECT FROM webhook_deliveries d
             WHERE d.workspace_id = w.workspace_id AND d.endpoint_id = w.id AND d.status = 'pending')
           OR EXISTS (SELECT FROM webhook_batches b
             WHERE b.workspace_id = w.workspace_id AND b.endpoint_id = w.id AND b.finished_at IS NULL)
           OR EXISTS (SELECT FROM webhook_other_events o WHERE o.workspace_id = w.workspace_id AND o.endpoint_id = w.id)
           OR EXISTS (SELECT FROM message_events e
             WHERE e.workspace_id = w.workspace_id AND e.visible AND e.at > w.created_at
               AND e.seq > ALL(SELECT p FROM unnest(w.position) AS p
                 WHERE event_slot_of(p) = event_slot_of(e.seq))))`,
      );
      return rows[0]?.n ?? 0;
    },

    async readEndpoints() {
      return read<StoredEndpoint>(
        `SELECT w.id, w.enabled, w.disabled_reason AS "disabledReason",
           (extract(epoch FROM w.updated_at) * 1000)::float8 AS "updatedMs",
           ARRAY(
             SELECT (b.first_sequence + item.i - 1)::float8
             FROM webhook_batches b, unnest(b.events) WITH ORDINALITY AS item(seq, i)
             WHERE b.workspace_id = w.workspace_id AND b.endpoint_id = w.id
             UNION
             SELECT d.sequence::float8 FROM webhook_deliveries d WHERE d.workspace_id = w.workspace_id AND d.endpoint_id = w.id
           ) AS sequences
         FROM webhook_endpoints w`,
      );
    },

    async countInbound(sids) {
      const rows = await read<{ n: number }>(
        `SELECT count(DISTINCT provider_sid)::int AS n FROM messages
         WHERE direction = 'inbound' AND provider_sid = ANY($1::text[])`,
        [sids],
      );
      return rows[0]?.n ?? 0;
    },

    async listUnfinished() {
      const rows = await read<{ id: string }>(`SELECT id FROM messages WHERE ${UNFINISHED}`);
      return rows.map(({ id }) => id);
    },

    async readState() {
      const messages = await read<StoredMessage>(
        `SELECT id, workspace_id AS "workspaceId", "to", body, media, status, dispatch, resends,
           provider_sid AS "providerSid", vendor_account_id AS "vendorAccountId",
           sid_adopted AS "foundByLookup", error_code AS "errorCode",
           created_at AS "createdAt"
         FROM messages WHERE direction = 'outbound' ORDER BY id`,
      );
      const inbound = await read<StoredInbound>(
        `SELECT m.id, m.workspace_id AS "workspaceId", m."from", m.body,
           m.provider_sid AS "providerSid", m.created_at AS "createdAt",
           EXISTS (SELECT FROM opt_outs o
             WHERE o.workspace_id = m.workspace_id AND o.number = m."from") AS "optedOut"
         FROM messages m WHERE direction = 'inbound' ORDER BY id`,
      );
      const attempts = await read<StoredAttempt>(
        `SELECT workspace_id AS "workspaceId", message_id AS "messageId", at,
           COALESCE(substring(detail FROM ' with (.*)$'), '') AS provider
         FROM message_timeline
         WHERE type = 'attempt_started' ORDER BY at`,
      );
      const keys = await read<StoredKey>(
        `SELECT workspace_id AS "workspaceId", key, message_id AS "messageId"
         FROM idempotency_keys`,
      );
      const events = await read<StoredEvent>(
        `SELECT id, workspace_id AS "workspaceId", type, message_id AS "messageId", status,
           provider_sid AS "providerSid", at
         FROM message_events WHERE visible ORDER BY message_id, message_version`,
      );
      const gaps = await read<{ id: string }>(
        `SELECT DISTINCT workspace_id AS id FROM (
           SELECT workspace_id, seq, event_slot_of(seq) AS slot
           FROM message_events
         ) numbered
         GROUP BY workspace_id, slot
         HAVING min(seq) <> 1 - slot * 281474976710656 OR max(seq) - min(seq) + 1 <> count(*)`,
      );
      const workspacesWithGaps = gaps.map(({ id }) => id);
      return { messages, inbound, attempts, keys, events, workspacesWithGaps };
    },

    async dump(messageIds) {
      const messages = await read('SELECT * FROM messages WHERE id = ANY($1::uuid[])', [
        messageIds,
      ]);
      const events = await read(
        `SELECT * FROM message_events WHERE message_id = ANY($1::uuid[])
         ORDER BY message_id, message_version`,
        [messageIds],
      );
      const callbacks = await read('SELECT * FROM unmatched_callbacks ORDER BY id');
      return { messages, events, unmatched_callbacks: callbacks };
    },

    close: () => client.end(),
  };
}
