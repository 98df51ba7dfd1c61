import type { DeliveryProblem, ReportProblem } from '@switchboard/core';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';

export interface NewProviderProblem {
  kind: DeliveryProblem['kind'];
  count: number;
  example: string;
}

/** A problem of an account, as its members see it. */
export interface ProviderProblem {
  providerId: string;
  /** `unmatched`: receipts that match no message. */
  kind: DeliveryProblem['kind'] | 'unmatched';
  /** At most 1,000 of `unmatched`. */
  count: number;
  since: Date;
  /** The latest one: for `unmatched`, its identifier. */
  example: string;
  /** For `unmatched`, the identifier of a message that waits for a receipt; null if there is none. */
  waiting: string | null;
}

/** What providers delivered and the service did not understand, for 72 hours. */
export interface ProviderProblemStore {
  /** Adds to the counts of an account. Each kind occurs once. */
  add(
    account: Parameters<ReportProblem>[0],
    problems: readonly NewProviderProblem[],
  ): Promise<void>;
  list(workspaceId: string): Promise<ProviderProblem[]>;
  deleteExpired(limit: number): Promise<number>;
}

const KEPT_FOR = `interval '72 hours'`;
const MAX_COUNT = 2_000_000_000;

const MAX_UNMATCHED = 1_000;
/** A receipt may arrive before the response with its identifier is stored. */
const EARLY = `interval '5 seconds'`;
/** Of so many of the workspace's newest messages, one is the example. */
const MAX_EXAMPLES = 500;

// The example is a message to an address of the receipt, if there is one.
const LIST = `
SELECT provider_id AS "providerId", kind, count, since, example, NULL AS waiting
FROM provider_problems WHERE workspace_id = $1::uuid AND latest_at > now() - ${KEPT_FOR}
UNION ALL
SELECT a.id, 'unmatched', u.count, u.since, latest.provider_sid, waiting.provider_sid
FROM provider_accounts a
CROSS JOIN LATERAL (
  SELECT count(*)::int AS count, min(received_at) AS since FROM (
    SELECT o.received_at FROM unmatched_callbacks o
    WHERE o.workspace_id = a.workspace_id AND o.provider_id = a.id
      AND o.match_at IS NOT NULL AND o.received_at < now() - ${EARLY}
    ORDER BY o.received_at LIMIT ${MAX_UNMATCHED}
  ) AS oldest
) AS u
CROSS JOIN LATERAL (
  SELECT o.provider_sid, o.callback FROM unmatched_callbacks o
  WHERE o.workspace_id = a.workspace_id AND o.provider_id = a.id
    AND o.match_at IS NOT NULL AND o.received_at < now() - ${EARLY}
  ORDER BY o.received_at DESC LIMIT 1
) AS latest
LEFT JOIN LATERAL (
  SELECT m.provider_sid FROM (
    SELECT id, "to", provider_id, provider_sid, dispatch, status FROM messages
    WHERE workspace_id = $1::uuid ORDER BY id DESC LIMIT ${MAX_EXAMPLES}
  ) AS m
  WHERE m.provider_id = a.id AND m.dispatch = 'accepted'
    AND m.status IN ('queued', 'sending', 'sent') AND m.provider_sid IS NOT NULL
  ORDER BY EXISTS (
    SELECT FROM jsonb_array_elements_text(latest.callback -> 'match' -> 'addresses') AS address
    WHERE right(address, 7) = right(m."to", 7)) DESC, m.id DESC
  LIMIT 1
) AS waiting ON true
WHERE a.workspace_id = $1::uuid AND u.count > 0
ORDER BY since, kind`;

export function createProviderProblemStore({ pool }: Pick<Database, 'pool'>): ProviderProblemStore {
  return {
    async add({ workspaceId, providerId }, problems) {
      await runStatement(
        pool,
        ...named(
          `INSERT INTO provider_problems AS p (workspace_id, provider_id, kind, count, example)
           SELECT a.workspace_id, a.id, t.*
           FROM provider_accounts a, unnest(:kinds::text[], :counts::int[], :examples::text[]) AS t
           WHERE a.workspace_id = :workspaceId::uuid AND a.id = :providerId::uuid
           ON CONFLICT (workspace_id, provider_id, kind) DO UPDATE SET latest_at = now(), example = excluded.example,
             count = LEAST(p.count::bigint + excluded.count, ${MAX_COUNT})::int`,
          {
            workspaceId,
            providerId,
            kinds: problems.map(({ kind }) => kind),
            counts: problems.map(({ count }) => count),
            examples: problems.map(({ example }) => example),
          },
        ),
      );
    },

    list: (workspaceId) => runStatement<ProviderProblem>(pool, LIST, [workspaceId]),

    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM provider_problems WHERE (workspace_id, provider_id, kind) IN (
           SELECT workspace_id, provider_id, kind FROM provider_problems WHERE latest_at < now() - ${KEPT_FOR}
           LIMIT $1::int FOR UPDATE SKIP LOCKED) RETURNING 1`,
        [limit],
      );
      return rows.length;
    },
  };
}
