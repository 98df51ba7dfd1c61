import { findConcurrentIndex } from '../src/migrations/build-index.ts';
import type { Catalog, Index } from './read-catalog.ts';

/**
 * Tables that grow with the number of users and not of messages, so that reading them takes a moment.
 */
const SMALL = new Set([
  'api_keys',
  'invites',
  'members',
  'phone_numbers',
  'provider_accounts',
  'replaced_keys',
  'users',
  'workspaces',
]);

/**
 * Returns the reasons why the previous release, which is still running, would fail or wait because of a
 * migration. Only a migration with a name `<time>_<what>_needs_<time>` may drop something: it names the
 * release that no longer needs it.
 */
export function judgeMigration(
  { name, script }: { name: string; script: string },
  before: Catalog,
  after: Catalog,
): string[] {
  const violations: string[] = [];
  const mayDrop = /_needs_\d+$/.test(name);
  const isOld = (table: string) => before.tables.has(table);

  for (const [table, file] of before.tables) {
    if (!after.tables.has(table)) {
      if (!mayDrop) violations.push(`${table} is dropped`);
    } else if (after.tables.get(table) !== file && !SMALL.has(table)) {
      violations.push(`${table} is rewritten, row by row`);
    }
  }
  for (const [column, was] of before.columns) {
    const is = after.columns.get(column);
    if (is === undefined) {
      if (!mayDrop) violations.push(`${column} is dropped`);
      continue;
    }
    if (is.type !== was.type) violations.push(`${column} becomes ${is.type}`);
    if (was.hasDefault && !is.hasDefault && is.notNull)
      violations.push(`${column} loses its default`);
    if (is.notNull && !was.notNull) violations.push(`${column} may no longer be null`);
  }
  for (const [column, { table, notNull, hasDefault }] of after.columns) {
    if (isOld(table) && !before.columns.has(column) && notNull && !hasDefault) {
      violations.push(`${column} is new and required`);
    }
  }
  for (const [index, added] of after.indexes) {
    const { table } = added;
    if (!isOld(table) || before.indexes.has(index)) continue;
    if (!SMALL.has(table) && findConcurrentIndex({ script }) === null) {
      violations.push(`${index} on ${table} blocks writes while it is built`);
    }
    if (added.unique && !isImplied(added, before))
      violations.push(`${index} refuses rows that were valid before`);
  }
  for (const [constraint, { table, type }] of after.constraints) {
    if (!isOld(table) || before.constraints.has(constraint)) continue;
    if (!SMALL.has(table)) violations.push(`${constraint} reads all of ${table} under a lock`);
    if (type !== 'f') violations.push(`${constraint} refuses rows that were valid before`);
  }
  return violations;
}

/** Returns whether an older unique index on all rows and no more columns refuses the same rows. */
function isImplied(added: Index, before: Catalog): boolean {
  return [...before.indexes.values()].some(
    ({ table, unique, where, columns }) =>
      table === added.table &&
      unique &&
      where === null &&
      columns.every((column) => added.columns.includes(column)),
  );
}
