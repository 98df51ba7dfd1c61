import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionOf } from './postgres-url.ts';
import { type Environment, runProgram } from './run-program.ts';

const DAY_MS = 86_400_000;

/**
 * Dumps the database into `folder` and returns the path of the dump. The file has another name until
 * the dump is complete and its table of contents can be read.
 */
export async function dumpDatabase(url: string, folder: string, env: Environment): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replaceAll(':', '').replace(/\.\d+/, '');
  const file = join(folder, `${time}.dump`);
  const part = `${file}.part`;
  const { dbname, env: own } = connectionOf(url);
  try {
    const args = ['--format=custom', `--file=${part}`, `--dbname=${dbname}`];
    await runProgram('pg_dump', args, {
      ...env,
      ...own,
      PGAPPNAME: 'switchboard-backup',
      PGOPTIONS: '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0',
    });
    await runProgram('pg_restore', ['--list', part], env);
    await chmod(part, 0o600);
    await rename(part, file);
    return file;
  } finally {
    await rm(part, { force: true });
  }
}

/** Returns the path of the newest complete dump in a folder, or null if there is none. */
export async function findNewestDump(folder: string): Promise<string | null> {
  const [newest] = (await listDumps(folder)).toSorted((a, b) => b.localeCompare(a));
  return newest === undefined ? null : join(folder, newest);
}

/** Deletes dumps that are older than `days` and returns their number. */
export async function deleteOldDumps(folder: string, days: number): Promise<number> {
  const before = Date.now() - days * DAY_MS;
  let deleted = 0;
  for (const name of await listDumps(folder)) {
    const file = join(folder, name);
    if ((await stat(file)).mtimeMs >= before) continue;
    await rm(file);
    deleted += 1;
  }
  return deleted;
}

async function listDumps(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => /^\d{4}-\d\d-\d\dT\d{6}Z\.dump$/.test(name));
}
