import type pg from 'pg';
import type { Database } from '../../database.ts';
import { runStatement } from '../../run-statement.ts';

/** Why a message is not finished. */
export type UnfinishedState =
  /** Scheduled for later. */
  | 'scheduled'
  /** May be sent now, but no worker has claimed it. */
  | 'waiting'
  /** An attempt certainly did not send it, and it will be retried later. */
  | 'held_back'
  | 'inflight'
  | 'unknown'
  /** Sent, but its final status is not known yet. */
  | 'awaiting_status';

export interface WorkspaceBacklog {
  id: string;
  name: string;
  waiting: number;
  heldBack: number;
  inflight: number;
  unknown: number;
  /** The age of the oldest waiting message; null if none is waiting. */
  oldestSeconds: number | null;
  /** When the first of the held messages is retried. */
  nextTryAt: Date | null;
  /** When a provider began to refuse the credentials of one of its accounts, and its error. */
  refusedSince: Date | null;
  refusedDetail: string | null;
  /** When the circuit breaker of that account opened, and the latest error. */
  failingSince: Date | null;
  failingDetail: string | null;
}

/** A message as an operator may see it, without its text. */
export interface SurveyedMessage {
  id: string;
  workspaceId: string;
  workspaceName: string;
  requestId: string | null;
  to: string;
  attempt: number;
  errorCode: string | null;
  errorDetail: string | null;
  at: Date;
}

export interface Survey {
  states: { state: UnfinishedState; count: number; oldestSeconds: number }[];
  /** The workspaces with the largest backlogs first. */
  workspaces: WorkspaceBacklog[];
  /** The oldest messages with an unknown outcome. */
  unknown: SurveyedMessage[];
  /** The latest messages that were rejected or given up. */
  failed: SurveyedMessage[];
  /** There are more unfinished messages than were read, so all counts are lower bounds. */
  isPartial: boolean;
}

// These limits keep the cost low for tables of any size.
const MAX_UNFINISHED = 50_000;
const MAX_LATEST = 20_000;
const MAX_OF_WORKSPACE = 200;
const MAX_LISTED = 25;

/** `$1` limits each state. */
const UNFINISHED = `
unfinished AS MATERIALIZED (
  SELECT m.workspace_id, m.not_before,
    extract(epoch FROM now() - GREATEST(r.created_at, r.scheduled_at, m.not_before))::float8 AS age,
    CASE
      WHEN m.dispatch = 'ready' AND m.attempt = 0 AND r.scheduled_at > now() THEN 'scheduled'
      WHEN m.dispatch = 'ready' AND m.not_before > now() THEN 'held_back'
      WHEN m.dispatch = 'ready' THEN 'waiting'
      WHEN m.dispatch = 'accepted' THEN 'awaiting_status'
      ELSE m.dispatch::text END AS state
  FROM unnest(ARRAY['inflight', 'unknown', 'ready', 'accepted']::dispatch_state[]) AS k(state),
    LATERAL (SELECT * FROM due_messages WHERE dispatch = k.state LIMIT $1::int) m
    JOIN message_records r ON r.workspace_id = m.workspace_id AND r.id = m.id
)`;

const STATES = `
WITH ${UNFINISHED}
SELECT state, count(*) AS count, GREATEST(max(age), 0)::float8 AS "oldestSeconds"
FROM unfinished GROUP BY state`;

const WORKSPACES = `
WITH ${UNFINISHED},
backlogs AS (
  SELECT workspace_id,
    count(*) FILTER (WHERE state = 'waiting') AS waiting,
    count(*) FILTER (WHERE state = 'held_back') AS held_back,
    count(*) FILTER (WHERE state = 'inflight') AS inflight,
    count(*) FILTER (WHERE state = 'unknown') AS unknown,
    max(age) FILTER (WHERE state = 'waiting') AS oldest,
    min(not_before) FILTER (WHERE state = 'held_back') AS next_try_at
  FROM unfinished WHERE state NOT IN ('scheduled', 'awaiting_status') GROUP BY workspace_id
)
SELECT w.id, w.name, b.waiting, b.held_back AS "heldBack", b.inflight, b.unknown,
  b.oldest AS "oldestSeconds", b.next_try_at AS "nextTryAt",
  p.refused_since AS "refusedSince", p.refused_detail AS "refusedDetail",
  p.failing_since AS "failingSince", p.failing_detail AS "failingDetail"
FROM backlogs b JOIN workspaces w ON w.id = b.workspace_id
  LEFT JOIN LATERAL (
    SELECT * FROM provider_accounts a WHERE a.workspace_id = w.id
    ORDER BY a.refused_since NULLS LAST, a.failing_since NULLS LAST LIMIT 1
  ) p ON true
ORDER BY b.waiting + b.held_back DESC, b.unknown DESC, w.id LIMIT ${MAX_LISTED}`;

const LISTED_COLUMNS = `
  m.id, m.workspace_id AS "workspaceId", w.name AS "workspaceName", m.request_id AS "requestId",
  m."to", m.attempt, m.error_code AS "errorCode", m.error_detail AS "errorDetail"`;

const UNKNOWN = `
SELECT ${LISTED_COLUMNS}, COALESCE(m.started_at, m.created_at) AS at
FROM (SELECT workspace_id, id FROM due_messages WHERE dispatch = 'unknown' LIMIT $1::int) unknown
  JOIN messages m ON m.workspace_id = unknown.workspace_id AND m.id = unknown.id
  JOIN workspaces w ON w.id = m.workspace_id
ORDER BY at LIMIT ${MAX_LISTED}`;

const FAILED = `
SELECT ${LISTED_COLUMNS}, m.updated_at AS at
FROM (
    SELECT w.id AS workspace_id, w.name, failed.id FROM workspaces w, LATERAL (
      SELECT f.id FROM message_records f
      WHERE f.workspace_id = w.id AND f.direction = 'outbound' AND f.status = 'failed'
      ORDER BY f.id DESC LIMIT ${MAX_OF_WORKSPACE}
    ) failed
    ORDER BY failed.id DESC LIMIT $1::int
  ) w
  JOIN messages m ON m.workspace_id = w.workspace_id AND m.id = w.id
WHERE m.dispatch IN ('rejected', 'unresolved') ORDER BY m.id DESC LIMIT ${MAX_LISTED}`;

/** Creates the survey of unfinished messages of all workspaces, for operators. */
export function createSurveyUnfinished({ pool }: Pick<Database, 'pool'>) {
  return async function surveyUnfinished(): Promise<Survey> {
    const read = <Row extends pg.QueryResultRow>(sql: string, limit: number): Promise<Row[]> =>
      runStatement<Row>(pool, sql, [limit]);
    // One query after another, so that the page never takes more than one connection from the senders.
    const states = await read<Survey['states'][number]>(STATES, MAX_UNFINISHED);
    const workspaces = await read<WorkspaceBacklog>(WORKSPACES, MAX_UNFINISHED);
    const unknown = await read<SurveyedMessage>(UNKNOWN, MAX_UNFINISHED);
    const failed = await read<SurveyedMessage>(FAILED, MAX_LATEST);
    const seen = states.reduce((sum, { count }) => sum + count, 0);
    return { states, workspaces, unknown, failed, isPartial: seen >= MAX_UNFINISHED };
  };
}
