import type pg from 'pg';
import { createParameters } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { hasCountry } from '../filters/match-messages.ts';
import type { MessageFilter } from '../filters/message-filter.ts';
import { countStored } from './stored-days.ts';

/** Reading a message by the index of numbers costs as much as reading this many entries of the index of statuses. */
const ENTRIES = 8;

/**
 * Returns whether the index of numbers finds the messages of a filter faster than the index of directions and statuses,
 * which includes the numbers. It does if, by the stored counts, the countries have only a small share of the messages, and
 * without other filters, because no message is read then.
 */
export async function readsByCountry(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
): Promise<boolean> {
  if (!hasCountry(filter)) return false;
  const { status, sentBy, provider, countryCode, direction } = filter;
  if ((status ?? sentBy ?? provider ?? direction) === undefined) return true;
  const { bind, toQuery } = createParameters({ workspaceId });
  const [row] = await runStatement<{ isRarer: boolean }>(
    pool,
    ...toQuery(`SELECT COALESCE(sum(country.n), 0) * ${ENTRIES} < COALESCE(sum(other.n), 0) AS "isRarer"
     FROM (SELECT DISTINCT day FROM all_message_counts WHERE workspace_id = :workspaceId::uuid) days
     CROSS JOIN LATERAL (${countStored({ ...(countryCode && { countryCode }) }, bind)}) country
     CROSS JOIN LATERAL (${countStored({ ...(status && { status }) }, bind)}) other`),
  );
  return row?.isRarer ?? false;
}
