import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from '@switchboard/embedded-postgres';
import { fetchPackages } from './fetch-program.ts';

const SERVER = ['initdb', 'postgres'];
const CLIENT = ['pg_dump', 'pg_restore', 'psql'];
const FOLDER = 'lib/postgresql';

export interface PostgresPrograms {
  /** The folder with pg_dump, pg_restore and psql, for the PATH. */
  folder: string;
  /** The server programs of the same release: pg_dump refuses a newer server. */
  binaries: PostgresBinaries;
}

/**
 * Finds the server and client programs of one PostgreSQL release; fetches them if this machine has
 * none.
 */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const installed = await findFolder('/usr');
  if (installed !== null) return describe(installed);
  try {
    const packages = ['postgresql-17', 'postgresql-16', 'postgresql-15'];
    const fetched = await fetchPackages({ name: 'PostgreSQL', packages }, writeStarters);
    return describe(join(fetched, 'bin'));
  } catch (cause) {
    throw new Error(
      'These tests need pg_dump, pg_restore, psql and the server of one release: install the package postgresql (downloading the Debian package also failed).',
      { cause },
    );
  }
}

function describe(folder: string): PostgresPrograms {
  const [initdb = '', postgres = ''] = SERVER.map((name) => join(folder, name));
  return { folder, binaries: { initdb, postgres, hasNoBuiltinLocales: true } };
}

/** Finds the `bin` folder of the newest release that has all programs. */
async function findFolder(prefix: string): Promise<string | null> {
  const releases = await readdir(join(prefix, FOLDER)).catch((): string[] => []);
  for (const release of releases.toSorted((a, b) => Number(b) - Number(a))) {
    const folder = join(prefix, FOLDER, release, 'bin');
    const files = await readdir(folder).catch((): string[] => []);
    if ([...SERVER, ...CLIENT].every((name) => files.includes(name))) return folder;
  }
  return null;
}

/** Unpacked programs need the path of their libraries. */
async function writeStarters(draft: string): Promise<void> {
  const folder = await findFolder(join(draft, 'root/usr'));
  if (folder === null) throw new Error('The package does not contain PostgreSQL.');
  await mkdir(join(draft, 'bin'));
  for (const name of [...SERVER, ...CLIENT]) {
    const file = join(draft, 'bin', name);
    const script = `#!/bin/sh
root=$(dirname "$0")/../root
export LD_LIBRARY_PATH=$(find "$root" -name '*.so*' -exec dirname {} + | sort -u | tr '\\n' ':')
exec "$root/${folder.slice(join(draft, 'root').length + 1)}/${name}" "$@"
`;
    await writeFile(file, script);
    await chmod(file, 0o755);
  }
}
