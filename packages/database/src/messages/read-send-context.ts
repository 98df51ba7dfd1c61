import { createBatch } from '@switchboard/core';
import { toArrayParameter } from '../array-parameter.ts';
import type { Database } from '../database.ts';
import { type Prepared, runStatement } from '../sql-error.ts';

export interface SendContextQuery {
  workspaceId: string;
  to: string;
  /** As the request gave it. */
  from: string | null;
}

/** All that the rules of sending ask of the database. */
export interface SendContext {
  providerConfigured: boolean;
  hasMessagingService: boolean;
  /** Whether `from` is a number of the workspace; true when the request gave none. */
  fromIsOurs: boolean;
  defaultNumber: string | null;
  optedOut: boolean;
}

const READ: Prepared = {
  name: 'read_send_context',
  text: `
SELECT
  p.workspace_id IS NOT NULL AS "providerConfigured",
  p.messaging_service_sid IS NOT NULL AS "hasMessagingService",
  q."from" IS NULL OR EXISTS (
    SELECT 1 FROM phone_numbers n WHERE n.workspace_id = q.workspace_id AND n.number = q."from"
  ) AS "fromIsOurs",
  (SELECT n.number FROM phone_numbers n
   WHERE n.workspace_id = q.workspace_id AND n.is_default) AS "defaultNumber",
  EXISTS (
    SELECT 1 FROM opt_outs o WHERE o.workspace_id = q.workspace_id AND o.number = q."to"
  ) AS "optedOut"
FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS q(workspace_id, "to", "from", nr)
LEFT JOIN provider_configurations p ON p.workspace_id = q.workspace_id
ORDER BY q.nr`,
};

/** Answers for many requests of one moment with one query. */
export function createReadSendContext({ pool }: Pick<Database, 'pool'>) {
  return createBatch<SendContextQuery, SendContext>({
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 10_000,
    run: (queries) =>
      runStatement<SendContext>(pool, READ, [
        toArrayParameter(queries.map((q) => q.workspaceId)),
        toArrayParameter(queries.map((q) => q.to)),
        toArrayParameter(queries.map((q) => q.from)),
      ]),
  });
}
