import { findConcurrentIndex } from '../src/migrations/build-index.ts';
import type { Catalog, Index } from './read-catalog.ts';

/**
 * Tables that grow with people and not with messages: a moment is enough to read them through.
 */
const SMALL = new Set([
  'api_keys',
  'invites',
  'members',
  'phone_numbers',
  'provider_configurations',
  'users',
  'workspaces',
]);

/**
 * What a migration does that the release before it, which still runs, would not survive or would
 * have to wait for. Taking away is left to migrations that say which release no longer needs it:
 * `<time>_<what>_needs_<time>`.
 */
export function judgeMigration(
  { name, script }: { name: string; script: string },
  before: Catalog,
  after: Catalog,
): string[] {
  const told: string[] = [];
  const mayTakeAway = /_needs_\d+$/.test(name);
  const isOld = (table: string) => before.tables.has(table);

  for (const [table, file] of before.tables) {
    if (!after.tables.has(table)) {
      if (!mayTakeAway) told.push(`${table} is gone`);
    } else if (after.tables.get(table) !== file && !SMALL.has(table)) {
      told.push(`${table} is written anew, row by row`);
    }
  }
  for (const [column, was] of before.columns) {
    const is = after.columns.get(column);
    if (is === undefined) {
      if (!mayTakeAway) told.push(`${column} is gone`);
      continue;
    }
    if (is.type !== was.type) told.push(`${column} becomes ${is.type}`);
    if (was.hasDefault && !is.hasDefault && is.notNull) told.push(`${column} loses its default`);
    if (is.notNull && !was.notNull) told.push(`${column} must no longer be null`);
  }
  for (const [column, { table, notNull, hasDefault }] of after.columns) {
    if (isOld(table) && !before.columns.has(column) && notNull && !hasDefault) {
      told.push(`${column} is new, and must be given`);
    }
  }
  for (const [index, added] of after.indexes) {
    const { table } = added;
    if (!isOld(table) || before.indexes.has(index)) continue;
    if (!SMALL.has(table) && findConcurrentIndex({ script }) === null) {
      told.push(`${index} on ${table} stops writers while it is built`);
    }
    if (added.unique && !isImplied(added, before))
      told.push(`${index} refuses rows that were good before`);
  }
  for (const [constraint, { table, type }] of after.constraints) {
    if (!isOld(table) || before.constraints.has(constraint)) continue;
    if (!SMALL.has(table)) told.push(`${constraint} reads all of ${table} under a lock`);
    if (type !== 'f') told.push(`${constraint} refuses rows that were good before`);
  }
  return told;
}

/** Whether a unique index of before, over all rows and no more columns, refuses all it refuses. */
function isImplied(added: Index, before: Catalog): boolean {
  return [...before.indexes.values()].some(
    ({ table, unique, where, columns }) =>
      table === added.table &&
      unique &&
      where === null &&
      columns.every((column) => added.columns.includes(column)),
  );
}
