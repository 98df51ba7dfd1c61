import { subscriberForms } from '@switchboard/core';
import type pg from 'pg';
import { columnsOf } from '../array-parameter.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

/** Returns the forms of a number as the value of a text column; null for a number with one form. */
export function toFormsValue(number: string): string | null {
  const forms = subscriberForms(number);
  return forms.length === 1 ? null : forms.join(' ');
}

/** Returns the SQL for the array of the forms of a number, from the value of `toFormsValue`. */
export const formsOf = (value: string, number: string): string =>
  `COALESCE(string_to_array(${value}, ' '), ARRAY[${number}])`;

/**
 * Returns the SQL for whether one of the forms has opted out: true or null. EXISTS is avoided: a plan for it
 * from a small table reads all of it, and is kept when the table has grown.
 */
export const hasOptedOut = (workspaceId: string, forms: string): string => `(
  SELECT true FROM opt_outs o
  WHERE o.workspace_id = ${workspaceId} AND o.number = ANY(${forms}) LIMIT 1)`;

const FIND: Prepared = {
  name: 'find_opted_out_forms',
  text: `
SELECT DISTINCT i.place FROM unnest($1::int[], $2::uuid[], $3::text[]) AS i(place, workspace_id, form)
WHERE ${hasOptedOut('i.workspace_id', 'ARRAY[i.form]')}`,
};

/**
 * Returns whether each number has opted out under another of its forms, for statements that read a number and
 * its opt-out. Queries the database only if a number has several forms.
 */
export async function findOptedOutForms(
  pool: pg.Pool,
  numbers: readonly { workspaceId: string; number: string }[],
): Promise<readonly boolean[]> {
  const others = numbers.flatMap(({ workspaceId, number }, place) =>
    subscriberForms(number)
      .slice(1)
      .map((form) => ({ place, workspaceId, form })),
  );
  const found = new Set<number>();
  if (others.length > 0) {
    const column = columnsOf(others);
    const rows = await runStatement<{ place: number }>(pool, FIND, [
      column((other) => other.place),
      column((other) => other.workspaceId),
      column((other) => other.form),
    ]);
    for (const { place } of rows) found.add(place);
  }
  return numbers.map((_, place) => found.has(place));
}
