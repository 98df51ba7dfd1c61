import type { Database } from '../database.ts';
import { DUE_NOW } from '../due-now.ts';
import type { SealedCredentials } from './sealed-credentials.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';
import { IS_SENDER_OF_ACCOUNT } from '../phone-numbers/sender-account.ts';

/** An account whose list of received messages the caller must read. */
export interface InboundTurn extends SealedCredentials {
  id: string;
  type: string;
  vendorAccountId: string;
  senderPool: string | null;
}

/** A number whose inbound messages the account was configured to send to us. */
export interface InboundNumber {
  id: string;
  number: string;
  /** The URL to which the account sends its inbound messages; null if they go elsewhere. */
  inboundUrl: string | null;
  /** How long before `listedAt` the unread part of the list begins, in milliseconds. */
  unreadMs: number;
  /** The time of this row, on the database's clock. */
  listedAt: Date;
}

/**
 * Stores how far the provider's list of received messages has been read, for each number. A restore
 * of the database also restores these cursors.
 */
export interface InboundStore {
  /**
   * Takes the turns of accounts that are due: verified, neither refused nor failing, and with a
   * number that delivers to us. Only one worker gets a turn. The next turn starts `holdMs` later,
   * even if this one has not ended.
   */
  takeTurns(limit: number, holdMs: number): Promise<InboundTurn[]>;
  /** Extends a turn by `holdMs`. */
  extendTurn(turn: SealedCredentials, holdMs: number): Promise<void>;
  listNumbers(turn: Pick<InboundTurn, 'workspaceId' | 'id'>): Promise<InboundNumber[]>;
  /**
   * Records to which URL of this service the account sends a number's inbound messages; null if they go elsewhere.
   * Does nothing if another URL was recorded since the number was listed.
   */
  recordUrl(
    number: Pick<InboundNumber, 'id' | 'inboundUrl'> & { workspaceId: string },
    url: string | null,
  ): Promise<void>;
  /**
   * Sets a number's cursor: everything received before `until`, a time on the database's clock, is
   * stored. Does nothing if the number is no longer the account's.
   */
  recordRead(read: {
    workspaceId: string;
    id: string;
    vendorAccountId: string;
    until: Date;
  }): Promise<void>;
}

/**
 * The stored URL of a number that was configured but whose inbound messages now go elsewhere. NULL
 * marks a number that was never configured; its list is not read.
 */
const ELSEWHERE = '';

/** Read again each time: a message may appear in the list later than its time. */
const OVERLAP = `interval '5 minutes'`;
/** Earlier messages are not searched for. `opt_ins` are kept longer. */
const OLDEST = `interval '7 days'`;

export function createInboundStore({ pool }: Pick<Database, 'pool'>): InboundStore {
  return {
    takeTurns: (limit, holdMs) =>
      runStatement<InboundTurn>(
        pool,
        // A time later than any turn can set means that the clock was set back.
        `WITH hold AS (SELECT $2::int * interval '1 millisecond' AS length),
         due AS (
           SELECT p.workspace_id, p.id FROM provider_accounts p, hold
           WHERE p.verified_credentials = p.sealed_secret
             AND p.refused_since IS NULL AND p.failing_since IS NULL
             AND COALESCE(p.inbound_check_at <= now()
               OR p.inbound_check_at > now() + 2 * hold.length, true)
             AND EXISTS (SELECT FROM phone_numbers n
               WHERE ${IS_SENDER_OF_ACCOUNT} AND n.inbound_url IS NOT NULL)
           ORDER BY p.inbound_check_at NULLS FIRST LIMIT $1::int FOR UPDATE OF p SKIP LOCKED
         )
         UPDATE provider_accounts p SET inbound_check_at = now() + hold.length
         FROM due, hold WHERE p.workspace_id = due.workspace_id AND p.id = due.id
         RETURNING p.id, p.workspace_id AS "workspaceId", p.type, p.vendor_account_id AS "vendorAccountId",
           p.sealed_secret AS "sealedSecret", p.sender_pool AS "senderPool"`,
        [limit, holdMs],
      ),

    async extendTurn({ workspaceId, sealedSecret }, holdMs) {
      await runStatement(
        pool,
        `UPDATE provider_accounts
         SET inbound_check_at = ${DUE_NOW} + $3::int * interval '1 millisecond'
         WHERE workspace_id = $1::uuid AND sealed_secret = $2`,
        [workspaceId, sealedSecret, holdMs],
      );
    },

    listNumbers: ({ workspaceId, id }) =>
      runStatement<InboundNumber>(
        pool,
        `SELECT n.id, number, NULLIF(inbound_url, '${ELSEWHERE}') AS "inboundUrl", GREATEST(0, extract(epoch FROM now() - GREATEST(
             inbound_since,
             CASE WHEN inbound_read_until < now() THEN inbound_read_until
               WHEN inbound_read_until IS NOT NULL THEN now() END - ${OVERLAP},
             now() - ${OLDEST})) * 1000)::float8 AS "unreadMs", now() AS "listedAt"
         FROM phone_numbers n JOIN provider_accounts p ON ${IS_SENDER_OF_ACCOUNT}
         WHERE n.workspace_id = $1::uuid AND p.id = $2::uuid AND inbound_url IS NOT NULL
         ORDER BY inbound_read_until NULLS FIRST, n.id`,
        [workspaceId, id],
      ),

    async recordUrl({ workspaceId, id, inboundUrl }, url) {
      await runStatement(
        pool,
        ...named(
          `UPDATE phone_numbers SET inbound_url = :url
           WHERE workspace_id = :workspaceId::uuid AND id = :id::uuid AND inbound_url = :earlierUrl`,
          {
            workspaceId,
            id,
            earlierUrl: inboundUrl ?? ELSEWHERE,
            url: url ?? ELSEWHERE,
          },
        ),
      );
    },

    async recordRead(read) {
      await runStatement(
        pool,
        ...named(
          `UPDATE phone_numbers n SET inbound_read_until = :until::timestamptz
           FROM provider_accounts p
           WHERE n.workspace_id = :workspaceId::uuid AND n.id = :id::uuid AND n.inbound_url IS NOT NULL
             AND ${IS_SENDER_OF_ACCOUNT} AND p.vendor_account_id = :vendorAccountId`,
          read,
        ),
      );
    },
  };
}
