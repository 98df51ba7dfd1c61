import type { SessionProblem } from '@switchboard/core';
import type { Database } from '../database.ts';
import { runStatement } from '../run-statement.ts';

export interface NewProviderProblem {
  kind: SessionProblem['kind'];
  count: number;
  example: string;
}

/** A problem of an account, as its members see it. */
export interface ProviderProblem {
  providerId: string;
  kind: SessionProblem['kind'];
  count: number;
  since: Date;
  /** The latest one. */
  example: string;
}

/** What providers delivered in sessions and the service did not understand, for 72 hours. */
export interface ProviderProblemStore {
  /** Adds to the counts of an account. Each kind occurs once. */
  add(
    account: { id: string; workspaceId: string },
    problems: readonly NewProviderProblem[],
  ): Promise<void>;
  list(workspaceId: string): Promise<ProviderProblem[]>;
  deleteExpired(limit: number): Promise<number>;
}

const KEPT_FOR = `interval '72 hours'`;
const MAX_COUNT = 2_000_000_000;

export function createProviderProblemStore({ pool }: Pick<Database, 'pool'>): ProviderProblemStore {
  return {
    async add({ id, workspaceId }, problems) {
      await runStatement(
        pool,
        `INSERT INTO provider_problems AS p (provider_id, workspace_id, kind, count, example)
         SELECT $1::uuid, $2::uuid, t.* FROM unnest($3::text[], $4::int[], $5::text[]) AS t
         ON CONFLICT (provider_id, kind) DO UPDATE SET latest_at = now(), example = excluded.example,
           count = LEAST(p.count::bigint + excluded.count, ${MAX_COUNT})::int`,
        [
          id,
          workspaceId,
          problems.map(({ kind }) => kind),
          problems.map(({ count }) => count),
          problems.map(({ example }) => example),
        ],
      );
    },

    list: (workspaceId) =>
      runStatement<ProviderProblem>(
        pool,
        `SELECT provider_id AS "providerId", kind, count, since, example FROM provider_problems
         WHERE workspace_id = $1::uuid AND latest_at > now() - ${KEPT_FOR} ORDER BY since, kind`,
        [workspaceId],
      ),

    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM provider_problems WHERE (provider_id, kind) IN (
           SELECT provider_id, kind FROM provider_problems WHERE latest_at < now() - ${KEPT_FOR}
           LIMIT $1::int FOR UPDATE SKIP LOCKED) RETURNING 1`,
        [limit],
      );
      return rows.length;
    },
  };
}
