import type { MessageStatus } from '@switchboard/core';
import type { Database } from '../../database.ts';
import { splitByDay } from '../rows/day-range.ts';
import { firstIdOf } from '../rows/id-range.ts';
import { named } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { type Dimension, breakDown, firstIdOfDay, staleDays } from './breakdown.ts';

export interface DeliveryCount {
  dimension: Dimension;
  /** For an account or a sender, its id. Empty if unknown. */
  value: string;
  /** The name of the account, the user or the API key; null for all others. */
  name: string | null;
  /** The vendor of the account; null for all others. */
  type: string | null;
  status: MessageStatus;
  count: number;
}

export type CountDeliveries = ReturnType<typeof createCountDeliveries>;

const DAYS = `workspace_id = :workspaceId::uuid AND day >= :fromDay::date AND day < :toDay::date`;

/** The values of other dimensions are not ids. */
const idOf = (dimension: Dimension): string =>
  `CASE c.dimension WHEN '${dimension}' THEN NULLIF(c.value, '')::uuid END`;

/** Days without valid stored counts, and the parts of days at the ends, are counted message by message. */
const COUNT = `
WITH stale AS MATERIALIZED (SELECT DISTINCT day FROM (${staleDays(DAYS)}) changed),
ranges AS MATERIALIZED (
  SELECT ${firstIdOfDay('day')} AS "from", ${firstIdOfDay('day + 1')} AS "to" FROM stale
  UNION ALL SELECT * FROM unnest(:starts::uuid[], :ends::uuid[])
),
counted AS (
  SELECT dimension, value, status, n FROM message_breakdowns
  WHERE ${DAYS} AND day NOT IN (SELECT day FROM stale)
  UNION ALL
  (${breakDown(
    `ranges JOIN messages m ON m.workspace_id = :workspaceId::uuid AND m.id >= ranges."from" AND m.id < ranges."to"`,
    'true',
  )})
)
SELECT c.dimension, c.status, sum(c.n)::bigint AS count,
  CASE c.dimension WHEN 'provider' THEN COALESCE(a.id::text, '') ELSE c.value END AS value,
  COALESCE(a.name, u.name, k.name) AS name, a.type
FROM counted c
LEFT JOIN provider_accounts a
  ON a.workspace_id = :workspaceId::uuid AND a.id = ${idOf('provider')}
LEFT JOIN users u ON u.id = ${idOf('sent_by')}
LEFT JOIN api_keys k ON k.workspace_id = :workspaceId::uuid AND k.id = ${idOf('sent_by')}
GROUP BY 1, 2, 4, 5, 6 HAVING sum(c.n) > 0`;

/** Counts the sent messages of a period, from `from` (inclusive) to `to` (exclusive), in each dimension. */
export function createCountDeliveries({ pool }: Pick<Database, 'pool'>) {
  return (workspaceId: string, period: { from: Date; to: Date }): Promise<DeliveryCount[]> => {
    const { days, edges } = splitByDay({ from: period.from.getTime(), to: period.to.getTime() });
    const values = {
      workspaceId,
      fromDay: toDate(days?.from ?? 0),
      toDay: toDate(days?.to ?? 0),
      starts: edges.map(({ from }) => firstIdOf(new Date(from))),
      ends: edges.map(({ to }) => firstIdOf(new Date(to))),
    };
    return runStatement<DeliveryCount>(pool, ...named(COUNT, values));
  };
}

const toDate = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
