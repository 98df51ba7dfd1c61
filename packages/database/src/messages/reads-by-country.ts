import type pg from 'pg';
import { runStatement } from '../run-statement.ts';
import { type Bind, type MessageFilter, hasCountry } from './match-messages.ts';
import { countStored } from './stored-days.ts';

/**
 * Returns whether the indexes of numbers find the messages of a filter with fewer reads than the index of API keys
 * and accounts. By the stored counts, its countries then have fewer messages than its keys, users or accounts.
 */
export async function readsByCountry(
  pool: pg.Pool,
  workspaceId: string,
  filter: MessageFilter,
): Promise<boolean> {
  if (!hasCountry(filter)) return false;
  const { sentBy, provider, ...byCountry } = filter;
  if ((sentBy ?? provider) === undefined) return true;
  const values: unknown[] = [workspaceId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const [row] = await runStatement<{ isRarer: boolean }>(
    pool,
    `SELECT COALESCE(sum(country.n), 0) < COALESCE(sum(other.n), 0) AS "isRarer"
     FROM (SELECT DISTINCT day FROM all_message_counts WHERE workspace_id = $1::uuid) days
     CROSS JOIN LATERAL (${countStored(byCountry, bind)}) country
     CROSS JOIN LATERAL (${countStored(filter, bind)}) other`,
    values,
  );
  return row?.isRarer ?? false;
}
