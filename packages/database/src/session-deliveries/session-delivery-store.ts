import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';

/** A received message, or part of one, as a provider delivers it. */
export interface Delivery {
  workspaceId: string;
  providerId: string;
  /** The hash of everything that is equal in a repeat. */
  digest: Buffer;
  connection: string;
}

/**
 * Recognizes repeats of a provider without message identifiers. The provider delivers a message
 * again if it got no response, and only in another connection. So an equal message in another
 * connection is a repeat if the first connection may have ended before the response arrived.
 */
export interface SessionDeliveryStore {
  /** Returns the identifier of the delivery. A repeat has that of the first delivery. */
  identify(delivery: Delivery): Promise<string>;
  /** Removes deliveries whose response has reached the provider. */
  forget(workspaceId: string, ids: readonly string[]): Promise<void>;
  /**
   * Limits the time in which messages of earlier connections may repeat, after the account has
   * connected again: a provider delivers waiting messages soon.
   */
  limitRepeats(session: Omit<Delivery, 'digest'>): Promise<void>;
  deleteExpired(limit: number): Promise<number>;
}

/** How long after a new connection an equal message is a repeat. */
const REPEATED_FOR = `interval '10 minutes'`;
const KEPT_FOR = `interval '3 days'`;

// If several deliveries are equal, each repeat matches a different one.
const IDENTIFY = `
WITH repeated AS (
  UPDATE session_deliveries d SET connection = :connection::uuid, expires_at = NULL
  WHERE d.workspace_id = :workspaceId::uuid AND d.id = (
    SELECT id FROM session_deliveries
    WHERE workspace_id = :workspaceId::uuid AND provider_id = :providerId::uuid AND digest = :digest AND connection <> :connection::uuid
      AND (expires_at IS NULL OR expires_at > now())
    ORDER BY received_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING d.id
),
fresh AS (
  INSERT INTO session_deliveries (workspace_id, provider_id, digest, connection)
  SELECT :workspaceId::uuid, :providerId::uuid, :digest, :connection::uuid WHERE NOT EXISTS (SELECT FROM repeated)
  RETURNING id
)
SELECT id FROM repeated UNION ALL SELECT id FROM fresh`;

export function createSessionDeliveryStore({ pool }: Pick<Database, 'pool'>): SessionDeliveryStore {
  return {
    async identify(delivery) {
      const values = { ...delivery };
      const [row] = await runStatement<{ id: string }>(pool, ...named(IDENTIFY, values));
      if (row === undefined) throw new Error('the delivery was not stored');
      return row.id;
    },

    async forget(workspaceId, ids) {
      await runStatement(
        pool,
        'DELETE FROM session_deliveries WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])',
        [workspaceId, ids],
      );
    },

    async limitRepeats({ workspaceId, providerId, connection }) {
      await runStatement(
        pool,
        `UPDATE session_deliveries SET expires_at = now() + ${REPEATED_FOR}
         WHERE workspace_id = $1::uuid AND provider_id = $2::uuid AND connection <> $3::uuid
           AND expires_at IS NULL`,
        [workspaceId, providerId, connection],
      );
    },

    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM session_deliveries WHERE (workspace_id, id) IN (
           SELECT workspace_id, id FROM session_deliveries
           WHERE expires_at < now() OR received_at < now() - ${KEPT_FOR}
           LIMIT $1::int FOR UPDATE SKIP LOCKED) RETURNING 1`,
        [limit],
      );
      return rows.length;
    },
  };
}
