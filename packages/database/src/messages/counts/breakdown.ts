import { countryCodeOf } from './country-code.ts';
import { deliveryClassOf } from './delivery-time.ts';

/** The dimensions by which sent messages are counted. `all` has one value, which is empty. */
export type Dimension = 'all' | 'country_code' | 'from' | 'provider' | 'sent_by' | 'delivery_time';

const DELIVERY_MS = `EXTRACT(EPOCH FROM m.delivered_at - COALESCE(m.scheduled_at, m.created_at)) * 1000`;

/**
 * Returns a query of `dimension`, `value`, `status` and `n` for the sent messages `m` of a workspace that match a
 * condition. An unknown value is an empty text; a message without a time to delivery is not in that dimension.
 */
export const breakDown = (from: string, where: string): string => `
SELECT part.dimension, part.value, grouped.status, sum(grouped.n)::bigint AS n
FROM (
  SELECT ${countryCodeOf('m."to"')} AS country_code, m."from", m.provider_id,
    CASE WHEN m.sent_by IN ('user', 'api_key') THEN m.sent_by_id END AS sender, m.status,
    CASE WHEN m.status IN ('delivered', 'read') THEN ${deliveryClassOf(DELIVERY_MS)} END AS class,
    count(*) AS n
  FROM ${from} WHERE m.direction = 'outbound' AND ${where}
  GROUP BY 1, 2, 3, 4, 5, 6
) grouped CROSS JOIN LATERAL (VALUES
  ('all', ''), ('country_code', COALESCE(country_code, '')), ('from', COALESCE("from", '')),
  ('provider', COALESCE(provider_id::text, '')), ('sent_by', COALESCE(sender::text, '')),
  ('delivery_time', class::text)
) AS part (dimension, value)
WHERE part.value IS NOT NULL
GROUP BY 1, 2, 3`;

/** Returns the first id of a UTC day, in SQL. */
export const firstIdOfDay = (day: string): string => `(
  SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9) || '-0000-0000-000000000000')::uuid
  FROM lpad(to_hex((${day} - date '1970-01-01')::bigint * 86400000), 12, '0') AS hex)`;

/**
 * Returns the days on which the stored counts differ from the exact ones, which every change of a message keeps,
 * and those with a change that the counts do not show. Deleted messages and those whose status rises change the
 * counts; a trigger records in `message_recounts` when a status falls or when the account or the sender changes.
 */
export const staleDays = (where: string): string => `
SELECT workspace_id, day FROM (
  SELECT workspace_id, day, status, n FROM all_message_counts
  WHERE direction = 'outbound' AND ${where}
  UNION ALL
  SELECT workspace_id, day, status, -n FROM message_breakdowns
  WHERE dimension = 'all' AND ${where}
) compared
GROUP BY workspace_id, day, status HAVING sum(n) <> 0
UNION ALL
SELECT workspace_id, day FROM message_recounts WHERE ${where}`;
