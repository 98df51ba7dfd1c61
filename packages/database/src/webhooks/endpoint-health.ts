import type { DisabledReason } from '@switchboard/core';
import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { named } from '../named-statement.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

/** The result of some attempts to deliver to one endpoint. */
export interface EndpointHealth {
  workspaceId: string;
  id: string;
  isWorking: boolean;
  /** The number of failed attempts; set only if the endpoint fails. */
  failures: number;
  error: string | null;
  /** For how long nothing is sent to the endpoint. */
  holdMs: number;
}

const RECORD: Prepared = {
  name: 'record_webhook_health',
  text: `
WITH input AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS h(
    "workspaceId" uuid, id uuid, "isWorking" bool, failures int, error text, "holdMs" float8)
)
UPDATE webhook_endpoints w SET
  failures = CASE WHEN h."isWorking" THEN 0 ELSE w.failures + h.failures END,
  failing_since = CASE WHEN h."isWorking" THEN NULL ELSE COALESCE(w.failing_since, now()) END,
  last_error = CASE WHEN h."isWorking" THEN NULL ELSE h.error END,
  last_success_at = CASE WHEN h."isWorking" THEN now() ELSE w.last_success_at END,
  not_before = CASE WHEN h."holdMs" > 0 THEN now() + h."holdMs" * interval '1 millisecond' END
FROM input h WHERE w.workspace_id = h."workspaceId" AND w.id = h.id AND w.enabled
RETURNING w.id, (extract(epoch FROM now() - w.failing_since) * 1000)::float8 AS "failingForMs"`,
};

/** Records results. Returns how long ago each endpoint began to fail; null while it works. */
export async function recordHealth(
  { pool }: Pick<Database, 'pool'>,
  results: readonly EndpointHealth[],
): Promise<Map<string, number | null>> {
  const rows = await runStatement<{ id: string; failingForMs: number | null }>(pool, RECORD, [
    JSON.stringify(results),
  ]);
  return new Map(rows.map(({ id, failingForMs }) => [id, failingForMs]));
}

interface DisabledRow {
  url: string;
  description: string;
}

/**
 * Disables an endpoint because of its responses, and notifies the other endpoints of the workspace.
 * Returns false if the endpoint was disabled, changed or deleted since `revision`.
 */
export function disableEndpoint(
  { prisma }: Pick<Database, 'prisma'>,
  endpoint: { workspaceId: string; id: string; revision: number },
  reason: Exclude<DisabledReason, 'user'>,
): Promise<boolean> {
  const { workspaceId } = endpoint;
  return prisma.$transaction(async (tx) => {
    const [disable, values] = named(
      `UPDATE webhook_endpoints SET enabled = false, disabled_reason = :reason, revision = revision + 1,
         updated_at = now()
       WHERE workspace_id = :workspaceId::uuid AND id = :id::uuid AND revision = :revision::int AND enabled
       RETURNING url, description`,
      { ...endpoint, reason },
    );
    const [row] = await tx.$queryRawUnsafe<DisabledRow[]>(disable, ...values);
    if (row === undefined) return false;
    const { url, description } = row;
    const [notify, data] = named(
      `SELECT add_webhook_event(:workspaceId::uuid, 'endpoint.disabled', now(),
         jsonb_build_object('id', :id::text, 'url', :url::text, 'description', :description::text,
           'disabled_reason', :reason::text), :id::uuid)`,
      { ...endpoint, url, description, reason },
    );
    await tx.$executeRawUnsafe(notify, ...data);
    await recordAudit(tx, OPERATOR, {
      workspaceId,
      action: 'webhook_endpoint.disabled',
      target: endpoint.id,
      detail: { url, reason },
    });
    return true;
  });
}
