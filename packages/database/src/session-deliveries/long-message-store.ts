import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';

/** The parts of one long message share these fields. */
export interface LongMessageKey {
  workspaceId: string;
  providerId: string;
  vendorAccountId: string;
  from: string;
  to: string;
  reference: number;
  total: number;
}

/** A part that has arrived. */
export interface LongMessagePart {
  /** The text of the part alone. */
  body: string;
  /** The part as it arrived, in the adapter's format. */
  content: string;
}

/** A long message, complete or not. */
export interface LongMessage extends LongMessageKey {
  /** The identifier under which it is stored. */
  id: string;
  /** The type of the provider account; null if the account was removed. */
  type: string | null;
  /** By the number of the part. */
  parts: ReadonlyMap<number, LongMessagePart>;
  receivedAt: Date;
}

export interface NewPart extends LongMessageKey {
  /** Identifies the delivery of the part: a repeat is ignored. */
  deliveryId: string;
  sequence: number;
  body: string;
  content: string;
}

/**
 * Collects the parts of long messages, which any worker may receive, in any order. The parts stay until
 * `remove`, so that a worker that dies after the last part loses nothing.
 */
export interface LongMessageStore {
  /**
   * Adds a part. Returns the message with all its parts so far. `repeated`: the part was added before.
   * `reused`: the part has another text, so an earlier message with this reference is incomplete.
   */
  addPart(part: NewPart): Promise<LongMessage | 'repeated' | 'reused'>;
  find(key: Omit<LongMessageKey, 'providerAccount'>): Promise<LongMessage | null>;
  /**
   * Takes messages that were not stored in time, and reserves them for this worker for `holdMs`.
   */
  takeDue(limit: number, holdMs: number): Promise<LongMessage[]>;
  remove(message: Pick<LongMessage, 'workspaceId' | 'id'>): Promise<void>;
}

const WAITS_FOR = `interval '1 hour'`;
/**
 * After this time, the worker that received the last part has failed to store a complete message.
 */
const STORED_WITHIN = `interval '30 seconds'`;

/** From `long_inbound_messages m`. */
const COLUMNS = `id, workspace_id AS "workspaceId", provider_id AS "providerId",
  vendor_account_id AS "vendorAccountId", "from", "to", reference, total, parts, contents,
  received_at AS "receivedAt", (SELECT a.type FROM provider_accounts a
    WHERE a.workspace_id = m.workspace_id AND a.id = m.provider_id) AS type`;

const ADD = `
WITH known AS (SELECT is_stored FROM session_deliveries WHERE workspace_id = :workspaceId::uuid AND id = :deliveryId::uuid),
added AS (
  INSERT INTO long_inbound_messages AS m
    (workspace_id, provider_id, vendor_account_id, "from", "to", reference, total, parts, contents,
     due_at)
  SELECT :workspaceId::uuid, :providerId::uuid, :vendorAccountId, :from, :to, :reference::int, :total::int, jsonb_build_object(:sequence::text, :body::text),
    jsonb_build_object(:sequence::text, :content::text), now() + ${WAITS_FOR}
  WHERE NOT EXISTS (SELECT FROM known WHERE is_stored)
  ON CONFLICT (workspace_id, provider_id, "from", "to", reference, total) DO UPDATE
    SET parts = m.parts || excluded.parts, contents = m.contents || excluded.contents,
      due_at = CASE
        WHEN (SELECT count(*) FROM jsonb_object_keys(m.parts || excluded.parts)) < m.total
        THEN m.due_at ELSE now() + ${STORED_WITHIN} END
    WHERE COALESCE(m.parts ->> :sequence::text, :body::text) = :body::text
  RETURNING ${COLUMNS}
),
marked AS (
  UPDATE session_deliveries SET is_stored = true
  WHERE workspace_id = :workspaceId::uuid AND id = :deliveryId::uuid AND EXISTS (SELECT FROM added)
)
SELECT added.*, COALESCE((SELECT is_stored FROM known), false) AS "isRepeated"
FROM (SELECT) AS one LEFT JOIN added ON true`;

type Row = Omit<LongMessage, 'parts'> & {
  parts: Record<string, string>;
  contents: Record<string, string>;
};

export function createLongMessageStore({ pool }: Pick<Database, 'pool'>): LongMessageStore {
  return {
    async addPart(part) {
      const [row] = await runStatement<
        (Row & { isRepeated: boolean }) | { id: null; isRepeated: boolean }
      >(pool, ...named(ADD, { ...part, sequence: String(part.sequence), body: encode(part.body) }));
      if (row === undefined || row.id === null) {
        return row?.isRepeated === true ? 'repeated' : 'reused';
      }
      return toMessage(row);
    },

    async find(key) {
      const [row] = await runStatement<Row>(
        pool,
        ...named(
          `SELECT ${COLUMNS} FROM long_inbound_messages m
           WHERE workspace_id = :workspaceId::uuid AND provider_id = :providerId::uuid AND "from" = :from AND "to" = :to
             AND reference = :reference::int AND total = :total::int`,
          key,
        ),
      );
      return row === undefined ? null : toMessage(row);
    },

    async takeDue(limit, holdMs) {
      const rows = await runStatement<Row>(
        pool,
        `UPDATE long_inbound_messages m SET due_at = now() + $2::int * interval '1 millisecond'
         WHERE (workspace_id, id) IN (
           SELECT workspace_id, id FROM long_inbound_messages WHERE due_at <= now()
           ORDER BY due_at LIMIT $1::int FOR UPDATE SKIP LOCKED)
         RETURNING ${COLUMNS}`,
        [limit, holdMs],
      );
      return rows.map(toMessage);
    },

    async remove({ workspaceId, id }) {
      await runStatement(
        pool,
        'DELETE FROM long_inbound_messages WHERE workspace_id = $1::uuid AND id = $2::uuid',
        [workspaceId, id],
      );
    },
  };
}

function toMessage({ parts, contents, ...message }: Row): LongMessage {
  const entries = Object.entries(parts).map(([at, body]) => {
    const part = { body: decode(body), content: contents[at] ?? '' };
    return [Number(at), part] as const;
  });
  return { ...message, parts: new Map(entries.toSorted(([a], [b]) => a - b)) };
}

/**
 * Encodes a text, because PostgreSQL stores neither half of a surrogate pair nor the character NUL.
 */
function encode(text: string): string {
  return Buffer.from(text, 'utf16le').toString('base64');
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('utf16le');
}
