import { type HashErased, hashesOfSubscriber, subscriberForms } from '@switchboard/core';
import type pg from 'pg';
import { columnsOf } from '../array-parameter.ts';
import { type Prepared, runStatement } from '../run-statement.ts';

const hashOf = new WeakMap<pg.Pool, HashErased>();

/** Makes the opt-outs of erased people hold in all statements of a pool. */
export function useErasedOptOuts(pool: pg.Pool, hash: HashErased): void {
  hashOf.set(pool, hash);
}

/** Returns what stands for the number if its person was erased; nothing if the pool has no keys. */
export function hashedForms(
  pool: pg.Pool,
  { workspaceId, number }: { workspaceId: string; number: string },
): readonly string[] {
  const hash = hashOf.get(pool);
  return hash === undefined ? [] : hashesOfSubscriber(hash, workspaceId, number);
}

/** Returns the forms of a number under which an opt-out may be stored, the given one first. */
export function optOutForms(
  pool: pg.Pool,
  numberOf: { workspaceId: string; number: string },
): readonly string[] {
  return [...subscriberForms(numberOf.number), ...hashedForms(pool, numberOf)];
}

/** Returns these forms as the value of a text column; null for a number with one form. */
export function toFormsValue(
  pool: pg.Pool,
  numberOf: { workspaceId: string; number: string },
): string | null {
  const forms = optOutForms(pool, numberOf);
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

/** Returns the SQL for whether an opt-out of an erased person exists in the workspace. */
export const hasErasedOptOuts = (workspaceId: string): string => `EXISTS (
  SELECT FROM opt_outs e WHERE e.workspace_id = ${workspaceId} AND e.is_erased)`;

/**
 * Returns whether each number has opted out under another of its forms, for statements that read a number and
 * its opt-out. Queries the database only if a number has several forms, or if `hasErased` says that the workspace has
 * opt-outs of erased people.
 */
export async function findOptedOutForms(
  pool: pg.Pool,
  numbers: readonly { workspaceId: string; number: string; hasErased: boolean }[],
): Promise<readonly boolean[]> {
  const others = numbers.flatMap(({ workspaceId, number, hasErased }, place) => {
    const hashed = hasErased ? hashedForms(pool, { workspaceId, number }) : [];
    const forms = [...subscriberForms(number).slice(1), ...hashed];
    return forms.map((form) => ({ place, workspaceId, form }));
  });
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
