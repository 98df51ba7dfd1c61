import { connectionOf } from './postgres-url.ts';
import { type Environment, runProgram } from './run-program.ts';

export type Psql = (sql: string) => Promise<string[][]>;

/** Runs SQL with psql on one database and returns the rows of its result, every value as text. */
export function createPsql(url: string, env: Environment): Psql {
  const { dbname, env: own } = connectionOf(url);
  const args = ['--no-psqlrc', '--quiet', '--no-align', '--tuples-only', '--field-separator=\t'];

  return async function psql(sql) {
    const output = await runProgram(
      'psql',
      [...args, '--set=ON_ERROR_STOP=1', `--dbname=${dbname}`, `--command=${sql}`],
      // Overrides the timeout of the role, because copying or counting a large database takes long.
      { ...env, ...own, PGAPPNAME: 'switchboard-restore', PGOPTIONS: '-c statement_timeout=0' },
    );
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
  };
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
