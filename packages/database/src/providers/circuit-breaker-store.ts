import type { Database } from '../database.ts';
import { DUE_NOW } from '../due-now.ts';
import { type SessionClaims, isCallable } from '../messages/claims/session-claims.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';
import type { SealedCredentials } from './sealed-credentials.ts';

/** An account to which only probes are sent. */
export interface PausedAccount {
  id: string;
  workspaceId: string;
  reason: 'refused' | 'failing' | 'disabled';
  isProbeDue: boolean;
  /** No account of the workspace can send. */
  hasNoOther: boolean;
}

/** How many accounts of a type are in a state. */
export interface AccountCount {
  type: string;
  state: 'ok' | PausedAccount['reason'];
  count: number;
}

/** An account whose next probe belongs to the caller. */
export interface ProbeTurn extends SealedCredentials {
  id: string;
  type: string;
  vendorAccountId: string;
  senderPool: string | null;
  reason: Exclude<PausedAccount['reason'], 'disabled'>;
  /** The provider has accepted these credentials before. */
  isVerified: boolean;
  /** The number of this probe, counted from 1 after the account was paused. */
  probes: number;
}

/**
 * The state of each account's circuit breaker, shared by all workers. Two workspaces with one account
 * at the provider have a breaker each: the results of one prove nothing about the other.
 */
export interface CircuitBreakerStore {
  /** Opens the breaker of the account that was used in a call. Returns false if it is already open. */
  open(account: SealedCredentials & { detail: string }): Promise<boolean>;
  close(account: SealedCredentials): Promise<void>;
  listPaused(): Promise<PausedAccount[]>;
  /** Counts all accounts by type and state. */
  countByState(): Promise<AccountCount[]>;
  /** Counts the accounts, other than refused ones, that sent messages today or yesterday (UTC). */
  countInUse(): Promise<number>;
  /**
   * Takes the probes that are due. Each probe goes to only one worker, which has a session if the
   * account needs one. The next probe is due after `holdMs`.
   */
  takeProbes(limit: number, holdMs: number, sessions: SessionClaims): Promise<ProbeTurn[]>;
  /** Makes the next probe of an account due, if it is paused. */
  bringProbeForward(account: Pick<PausedAccount, 'workspaceId' | 'id'>): Promise<void>;
  /**
   * Sets the time of the next probe after a failed one. If `detail` is null, the previous detail is
   * kept.
   */
  recordFailedProbe(
    account: SealedCredentials & { detail: string | null; nextInMs: number },
  ): Promise<void>;
}

const REASON_VALUE = `CASE WHEN NOT p.enabled THEN 'disabled'
  WHEN p.refused_since IS NOT NULL THEN 'refused' ELSE 'failing' END`;
const REASON = `${REASON_VALUE} AS reason`;
const IS_PAUSED = `(p.refused_since IS NOT NULL OR p.failing_since IS NOT NULL)`;
const IS_DUE = `COALESCE(p.probe_at <= now(), true)`;

const TAKE_PROBES = `WITH due AS (
     SELECT workspace_id, id FROM provider_accounts p WHERE ${IS_PAUSED} AND enabled AND ${IS_DUE}
       AND ${isCallable(':types::text[]', ':providerIds::uuid[]')}
     ORDER BY probe_at NULLS FIRST LIMIT :limit::int FOR UPDATE SKIP LOCKED
   )
   UPDATE provider_accounts p
   SET probe_at = now() + :holdMs::int * interval '1 millisecond', probes = probes + 1
   FROM due WHERE p.workspace_id = due.workspace_id AND p.id = due.id
   RETURNING p.id, p.workspace_id AS "workspaceId", p.type, p.vendor_account_id AS "vendorAccountId",
     p.sealed_secret AS "sealedSecret",
     p.sender_pool AS "senderPool", ${REASON}, p.probes,
     COALESCE(p.verified_credentials = p.sealed_secret, false) AS "isVerified"`;

export function createCircuitBreakerStore({ pool }: Pick<Database, 'pool'>): CircuitBreakerStore {
  return {
    async open({ workspaceId, sealedSecret, detail }) {
      const rows = await runStatement(
        pool,
        `UPDATE provider_accounts SET failing_since = now(), failing_detail = $3
         WHERE workspace_id = $1::uuid AND sealed_secret = $2 AND failing_since IS NULL
         RETURNING 1`,
        [workspaceId, sealedSecret, detail],
      );
      return rows.length > 0;
    },

    async close({ workspaceId, sealedSecret }) {
      await runStatement(
        pool,
        `UPDATE provider_accounts
         SET failing_since = NULL, failing_detail = NULL, probe_at = NULL, probes = 0,
           recovered_at = now()
         WHERE workspace_id = $1::uuid AND sealed_secret = $2 AND failing_since IS NOT NULL`,
        [workspaceId, sealedSecret],
      );
    },

    listPaused: () =>
      runStatement<PausedAccount>(
        pool,
        `SELECT id, workspace_id AS "workspaceId", ${REASON}, enabled AND ${IS_DUE} AS "isProbeDue",
           NOT EXISTS (
             SELECT FROM provider_accounts o WHERE o.workspace_id = p.workspace_id
               AND o.enabled AND o.refused_since IS NULL AND o.failing_since IS NULL
           ) AS "hasNoOther"
         FROM provider_accounts p WHERE ${IS_PAUSED} OR NOT enabled`,
        [],
      ),

    countByState: () =>
      runStatement<AccountCount>(
        pool,
        `SELECT p.type, CASE WHEN p.enabled AND NOT ${IS_PAUSED} THEN 'ok' ELSE ${REASON_VALUE} END AS state,
           count(*)::int AS count
         FROM provider_accounts p GROUP BY 1, 2`,
        [],
      ),

    async countInUse() {
      const [row] = await runStatement<{ n: number }>(
        pool,
        `SELECT count(*)::int AS n FROM provider_accounts p
         WHERE p.refused_since IS NULL AND EXISTS (
           SELECT FROM all_message_counts c
           WHERE c.workspace_id = p.workspace_id AND c.direction = 'outbound'
             AND c.day >= (now() AT TIME ZONE 'UTC')::date - 1)`,
        [],
      );
      return row?.n ?? 0;
    },

    takeProbes: (limit, holdMs, { types, providerIds }) =>
      runStatement<ProbeTurn>(pool, ...named(TAKE_PROBES, { limit, holdMs, types, providerIds })),

    async bringProbeForward({ workspaceId, id }) {
      await runStatement(
        pool,
        `UPDATE provider_accounts p SET probe_at = ${DUE_NOW}
         WHERE workspace_id = $1::uuid AND id = $2::uuid AND ${IS_PAUSED} AND probe_at > now()`,
        [workspaceId, id],
      );
    },

    async recordFailedProbe(probe) {
      const values = {
        ...probe,
        nextInMs: Math.round(probe.nextInMs),
      };
      await runStatement(
        pool,
        ...named(
          `UPDATE provider_accounts p
           SET probe_at = now() + :nextInMs::int * interval '1 millisecond',
             failing_detail = CASE WHEN failing_since IS NULL THEN NULL
               ELSE COALESCE(:detail, failing_detail) END
           WHERE workspace_id = :workspaceId::uuid AND sealed_secret = :sealedSecret AND ${IS_PAUSED}`,
          values,
        ),
      );
    },
  };
}
