import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresServer } from '@switchboard/testing';
import type pg from 'pg';

/** Settings with which the server's log has each statement with its transaction and its program. */
export const LOG_STATEMENTS = {
  log_statement: 'all',
  log_line_prefix: '%v %a|',
  log_parameter_max_length: '0',
};

/** Returns the statements of each transaction of a program, in which a statement alone is a transaction too. */
export async function readTransactions(
  { dataDir }: Pick<PostgresServer, 'dataDir'>,
  program: string,
): Promise<string[][]> {
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
  const transactions = new Map<string, string[]>();
  // The further lines of a statement begin with a tab.
  for (const line of log.replaceAll('\n\t', ' ').split('\n')) {
    const [, id, of, text] =
      /^(\d+\/\d+) ([^|]*)\|LOG: {2}(?:statement|execute [^:]*): (.*)$/.exec(line) ?? [];
    if (id === undefined || text === undefined || of !== program) continue;
    const statements = transactions.get(id) ?? [];
    transactions.set(id, statements);
    statements.push(text.replaceAll(/--[^\n]*|\s+/g, ' '));
  }
  return [...transactions.values()];
}

/** Tables without a workspace that every database with workspaces has. `mails` is also in the one with the accounts. */
const OF_EVERY_DATABASE = ['event_epoch', 'running_processes', 'rate_limits', 'mails'];

/**
 * Returns the transactions that touch both tables of accounts, which have no workspace, and tables of workspaces. A database
 * with workspaces has a copy of the users, so those may be read in it.
 */
export async function findMixed(pool: pg.Pool, transactions: readonly string[][]) {
  const { rows } = await pool.query<{ name: string; isOfWorkspace: boolean }>(
    `SELECT c.relname AS name, c.relname = 'workspaces' OR a.attname IS NOT NULL AS "isOfWorkspace"
     FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v')
       AND c.relname NOT LIKE '\\_%' AND c.relname <> ALL ($1)`,
    [OF_EVERY_DATABASE],
  );
  const namesOf = (isOfWorkspace: boolean) =>
    rows.flatMap((row) => (row.isOfWorkspace === isOfWorkspace ? [row.name] : []));
  const mentions = (verbs: string, names: readonly string[]) =>
    new RegExp(String.raw`\b(${verbs})\s+(ONLY\s+)?("public"\.)?"?(${names.join('|')})\b`, 'i');
  const accounts = mentions(
    'FROM|JOIN|USING|UPDATE|INTO|TABLE',
    namesOf(false).filter((name) => name !== 'users'),
  );
  const writesUsers = mentions('UPDATE|INTO|DELETE FROM|TABLE', ['users']);
  const readsUsers = mentions('FROM|JOIN|USING', ['users']);
  const touchesAccounts = (statement: string) =>
    accounts.test(statement) ||
    writesUsers.test(statement) ||
    (readsUsers.test(statement) &&
      /\bFOR (NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/.test(statement));
  const workspaces = mentions('FROM|JOIN|USING|UPDATE|INTO|TABLE', namesOf(true));
  const touched = (pattern: (statement: string) => boolean) =>
    transactions.filter((statements) => statements.some(pattern));
  const ofAccounts = touched(touchesAccounts);
  const ofWorkspaces = new Set(touched((statement) => workspaces.test(statement)));
  return { ofAccounts, ofWorkspaces, mixed: ofAccounts.filter((one) => ofWorkspaces.has(one)) };
}
