import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MigrationError } from './migration-error.ts';

/** The repository's own migrations. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(
  new URL('../../../../prisma/migrations', import.meta.url),
);

export interface Migration {
  /** The name of the folder, `<time>_<name>`. Migrations are applied in the order of their names. */
  name: string;
  script: string;
  /** SHA-256 of the script in hexadecimal. */
  checksum: string;
}

/** Reads `<directory>/<name>/migration.sql`, in the order of the names. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((cause: unknown) => {
    throw new MigrationError(`The migrations folder ${directory} can't be read.`, { cause });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  // A build without the content of the folder must not look like an up-to-date database.
  if (names.length === 0) throw new MigrationError(`There are no migrations in ${directory}.`);
  return Promise.all(names.toSorted().map((name) => readMigration(directory, name)));
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  const file = path.join(directory, name, 'migration.sql');
  const script = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new MigrationError(`Migration ${name} has no readable migration.sql.`, { cause });
  });
  // The script runs inside the transaction that also records it. In the body of a function, `begin` is
  // followed by statements and not by a semicolon.
  const control = /^\s*(begin|start\s+transaction|commit|rollback)(\s+(work|transaction))?\s*;/im;
  if (control.test(script)) {
    throw new MigrationError(
      `Migration ${name} begins or ends a transaction, but each migration already runs in one.`,
    );
  }
  return { name, script, checksum: checksumOf(script) };
}

function checksumOf(script: string): string {
  return createHash('sha256').update(script).digest('hex');
}

/** Returns whether a recorded checksum matches the script, with either form of line endings. */
export function isChecksumOf(recorded: string, { script, checksum }: Migration): boolean {
  const unix = script.replaceAll('\r\n', '\n');
  return [checksum, checksumOf(unix), checksumOf(unix.replaceAll('\n', '\r\n'))].includes(recorded);
}
