import type { WebhookEventType } from '@switchboard/core';
import type pg from 'pg';
import { DUE_NOW } from '../due-now.ts';
import { defineQuery } from '../named-statement.ts';
import { type Prepared, runStatement } from '../run-statement.ts';
import { hasEventsAfter } from '../messages/events/position-sql.ts';
import { type EndpointKey, OWNER, TARGET_COLUMNS, type WebhookTarget } from './webhook-endpoint.ts';

/** An endpoint that this worker may advance, with the state of its row. */
export interface LeasedEndpoint extends WebhookTarget {
  eventTypes: WebhookEventType[];
  revision: number;
  /** Compared as a whole when the position moves. */
  position: number[];
  /** The batch that another worker, or this one before a failure, has not finished. */
  openBatch: { firstSequence: number; events: number[] } | null;
  hasOtherEvents: boolean;
}

const IS_BEHIND = hasEventsAfter('w.position', 'w.workspace_id');
const HAS_OTHERS = `EXISTS (
  SELECT FROM webhook_other_events o WHERE o.workspace_id = w.workspace_id AND o.endpoint_id = w.id)`;
const OPEN_BATCH = `FROM webhook_batches b
  WHERE b.workspace_id = w.workspace_id AND b.endpoint_id = w.id AND b.finished_at IS NULL`;

const MAY_LEASE = `w.enabled AND (w.not_before IS NULL OR w.not_before <= now())
    AND (w.lease_owner = :owner::uuid OR w.lease_until IS NULL OR w.lease_until <= now())`;

// Owners take turns, so that one with many endpoints does not delay the others.
//
// In another epoch of event numbers, the database was restored or lost its latest commits, so the
// endpoint may have received numbers that are unknown here. The numbers then continue after a gap,
// which receivers can detect, and none is used twice.
const LEASE = defineQuery(
  {
    name: 'lease_webhook_endpoints',
    text: `
WITH behind AS (
  SELECT w.workspace_id, w.id, row_number() OVER (PARTITION BY ${OWNER} ORDER BY random()) AS turn
  FROM webhook_endpoints w
  WHERE ${MAY_LEASE} AND (:workspaceIds::uuid[] IS NULL OR w.workspace_id = ANY(:workspaceIds::uuid[]))
    AND w.id <> ALL(:except::uuid[]) AND ${OWNER} <> ALL(:exceptOwners::uuid[])
    AND (${IS_BEHIND} OR ${HAS_OTHERS} OR EXISTS (SELECT ${OPEN_BATCH}))
),
due AS (
  SELECT w.workspace_id, w.id FROM behind b
    JOIN webhook_endpoints w ON w.workspace_id = b.workspace_id AND w.id = b.id
  WHERE ${MAY_LEASE} AND b.turn <= :perOwner::int
  ORDER BY b.turn LIMIT :limit::int
  FOR UPDATE OF w SKIP LOCKED
),
leased AS (
  UPDATE webhook_endpoints w SET lease_owner = :owner::uuid,
    lease_until = now() + :leaseMs::float8 * interval '1 millisecond',
    next_sequence = CASE WHEN w.epoch = current_event_epoch() THEN w.next_sequence
      ELSE (w.next_sequence / 1000000 + 1) * 1000000 + 1 END,
    epoch = current_event_epoch()
  FROM due WHERE w.workspace_id = due.workspace_id AND w.id = due.id
  RETURNING w.*
)
SELECT ${TARGET_COLUMNS}, w.event_types AS "eventTypes", w.revision,
  w.position::float8[] AS position, ${HAS_OTHERS} AS "hasOtherEvents",
  (SELECT json_build_object('firstSequence', b.first_sequence, 'events', b.events)
   ${OPEN_BATCH}) AS "openBatch"
FROM leased w`,
  },
  ['owner', 'leaseMs', 'workspaceIds', 'limit', 'except', 'exceptOwners', 'perOwner'],
);

/**
 * Leases endpoints that have something to deliver, at most `limit`. Only one worker at a time
 * holds the lease of an endpoint. If `workspaceIds` is null, searches all workspaces.
 */
export function leaseEndpoints(
  pool: pg.Pool,
  query: {
    owner: string;
    leaseMs: number;
    workspaceIds: readonly string[] | null;
    limit: number;
    /** Endpoints that this worker is advancing. */
    except: readonly string[];
    /** Owners of workspaces for whom this worker advances as many endpoints as it may. */
    exceptOwners: readonly string[];
    perOwner: number;
  },
): Promise<LeasedEndpoint[]> {
  return runStatement(pool, LEASE, LEASE.toValues(query));
}

/** A move of the position of an endpoint past events, some of which get numbers. */
export interface BatchClaim extends EndpointKey {
  revision: number;
  from: readonly number[];
  to: readonly number[];
  /** The event numbers in `message_events` of the events to deliver, in their order. */
  events: readonly number[];
  /** How many numbers to skip, because up to this many events may have been deleted undelivered. */
  skipped: number;
}

// The claim is committed before the first attempt. So whatever happens then, each event keeps its number,
// and the events are found again in the open batch.
const CLAIM: Prepared = {
  name: 'claim_webhook_batches',
  text: `
WITH input AS (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS c(
    "workspaceId" uuid, "endpointId" uuid, revision int, "from" bigint[], "to" bigint[], events bigint[], skipped bigint)
),
moved AS (
  UPDATE webhook_endpoints w SET position = c."to",
    next_sequence = w.next_sequence + c.skipped + cardinality(c.events),
    lease_until = now() + $3::float8 * interval '1 millisecond'
  FROM input c
  WHERE w.workspace_id = c."workspaceId" AND w.id = c."endpointId" AND w.lease_owner = $1::uuid AND w.enabled
    AND w.revision = c.revision AND w.position = c."from"
    AND (w.not_before IS NULL OR w.not_before <= now())
  RETURNING w.workspace_id, w.id, w.next_sequence - cardinality(c.events) AS first_sequence, c.events
),
added AS (
  INSERT INTO webhook_batches (workspace_id, endpoint_id, first_sequence, events, claimed_at)
  SELECT workspace_id, id, first_sequence, events, now() FROM moved WHERE cardinality(events) > 0
)
SELECT id, first_sequence AS "firstSequence" FROM moved`,
};

/**
 * Claims batches. Returns the number of the first event of each; an endpoint that is missing was
 * changed, disabled or deleted, or another worker has its lease.
 */
export async function claimBatches(
  pool: pg.Pool,
  owner: string,
  leaseMs: number,
  claims: readonly BatchClaim[],
): Promise<Map<string, number>> {
  const rows = await runStatement<{ id: string; firstSequence: number }>(pool, CLAIM, [
    owner,
    JSON.stringify(claims),
    leaseMs,
  ]);
  return new Map(rows.map(({ id, firstSequence }) => [id, firstSequence]));
}

/** Lets other workers lease the endpoints immediately. */
export async function releaseEndpoints(pool: pg.Pool, owner: string): Promise<void> {
  await runStatement(
    pool,
    `UPDATE webhook_endpoints SET lease_until = ${DUE_NOW}
     WHERE lease_owner = $1::uuid AND lease_until > now()`,
    [owner],
  );
}

/** Returns the ids of the given endpoints that are enabled and have the given revision. */
export async function listUnchanged(
  pool: pg.Pool,
  endpoints: readonly Pick<LeasedEndpoint, 'workspaceId' | 'id' | 'revision'>[],
): Promise<Set<string>> {
  const rows = await runStatement<{ id: string }>(
    pool,
    `SELECT w.id FROM webhook_endpoints w
     JOIN unnest($1::uuid[], $2::uuid[], $3::int[]) AS i(workspace_id, id, revision)
       ON w.workspace_id = i.workspace_id AND w.id = i.id AND w.revision = i.revision
     WHERE w.enabled`,
    [
      endpoints.map(({ workspaceId }) => workspaceId),
      endpoints.map(({ id }) => id),
      endpoints.map(({ revision }) => revision),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Lists the workspaces that have an enabled endpoint. */
export async function listWebhookWorkspaces(pool: pg.Pool): Promise<string[]> {
  const rows = await runStatement<{ workspaceId: string }>(
    pool,
    'SELECT DISTINCT workspace_id AS "workspaceId" FROM webhook_endpoints WHERE enabled',
    [],
  );
  return rows.map(({ workspaceId }) => workspaceId);
}
