import type { Database } from '../database.ts';
import { runStatement } from '../run-statement.ts';

/** The sealed secrets of an endpoint. */
export interface SealedWebhookSecrets {
  id: string;
  workspaceId: string;
  sealedSecret: string;
  previousSecret: string | null;
}

/** The secrets of all endpoints, for sealing them with another key. */
export interface WebhookSecretStore {
  /** Lists the next endpoints of all workspaces. */
  listSealed(
    after: Pick<SealedWebhookSecrets, 'workspaceId' | 'id'> | null,
    limit: number,
  ): Promise<SealedWebhookSecrets[]>;
  /** Replaces the secrets of endpoints whose secrets are still equal to `from`. Returns their number. */
  replaceSealed(
    replacements: readonly { from: SealedWebhookSecrets; to: SealedWebhookSecrets }[],
  ): Promise<number>;
}

const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

export function createWebhookSecretStore({ pool }: Pick<Database, 'pool'>): WebhookSecretStore {
  return {
    listSealed: (after, limit) =>
      runStatement<SealedWebhookSecrets>(
        pool,
        `SELECT id, workspace_id AS "workspaceId", sealed_secret AS "sealedSecret",
           previous_secret AS "previousSecret"
         FROM webhook_endpoints WHERE (workspace_id, id) > ($1::uuid, $2::uuid)
         ORDER BY workspace_id, id LIMIT $3::int`,
        [after?.workspaceId ?? FIRST_UUID, after?.id ?? FIRST_UUID, limit],
      ),

    async replaceSealed(replacements) {
      const rows = await runStatement(
        pool,
        `UPDATE webhook_endpoints w SET sealed_secret = r."to", previous_secret = r."previousTo",
           revision = w.revision + 1
         FROM jsonb_to_recordset($1::jsonb) AS r(
           "workspaceId" uuid, id uuid, "from" text, "previousFrom" text, "to" text, "previousTo" text)
         WHERE w.workspace_id = r."workspaceId" AND w.id = r.id AND w.sealed_secret = r."from"
           AND w.previous_secret IS NOT DISTINCT FROM r."previousFrom"
         RETURNING 1`,
        [
          JSON.stringify(
            replacements.map(({ from, to }) => ({
              workspaceId: from.workspaceId,
              id: from.id,
              from: from.sealedSecret,
              previousFrom: from.previousSecret,
              to: to.sealedSecret,
              previousTo: to.previousSecret,
            })),
          ),
        ],
      );
      return rows.length;
    },
  };
}
