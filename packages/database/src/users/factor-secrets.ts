import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { runStatement } from '../run-statement.ts';

export interface SealedFactor {
  userId: string;
  sealedSecret: string;
}

/** The secrets of all authenticator apps, for sealing them with another key. */
export interface FactorSecretStore {
  /** Lists the next users. */
  listSealed(afterUserId: string | null, limit: number): Promise<SealedFactor[]>;
  /** Replaces the secrets that are still equal to `from`. Returns their number. */
  replaceSealed(
    replacements: readonly { userId: string; from: string; to: string }[],
  ): Promise<number>;
}

const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

export function createFactorSecretStore({ pool }: Pick<Database, 'pool'>): FactorSecretStore {
  return {
    listSealed: (after, limit) =>
      runStatement<SealedFactor>(
        pool,
        ...named(
          `SELECT user_id AS "userId", sealed_secret AS "sealedSecret" FROM second_factors
           WHERE user_id > :after::uuid ORDER BY user_id LIMIT :limit::int`,
          { after: after ?? FIRST_UUID, limit },
        ),
      ),

    async replaceSealed(replacements) {
      const rows = await runStatement(
        pool,
        ...named(
          `UPDATE second_factors f SET sealed_secret = r."to"
           FROM jsonb_to_recordset(:replacements::jsonb) AS r("userId" uuid, "from" text, "to" text)
           WHERE f.user_id = r."userId" AND f.sealed_secret = r."from" RETURNING 1`,
          { replacements: JSON.stringify(replacements) },
        ),
      );
      return rows.length;
    },
  };
}
