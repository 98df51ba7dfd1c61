import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT_FOLDER } from '../root-folder.ts';

const run = promisify(execFile);
const PACKAGES = ['redis-server', 'valkey-server'];

/**
 * Fetches the distribution's own package (Debian, Ubuntu) and unpacks it, with the libraries that
 * this machine lacks, into a cache folder. Nothing is installed and root is not needed.
 */
export async function fetchRedisServer(): Promise<string> {
  const target = join(ROOT_FOLDER, '.cache/redis');
  const starter = join(target, 'start-redis');
  if (await exists(starter)) return starter;

  const draft = `${target}.${process.pid}`;
  try {
    await mkdir(draft, { recursive: true });
    await unpackPackages(draft);
    await writeStarter(draft);
    await rename(draft, target).catch(async (error: unknown) => {
      if (!(await exists(starter))) throw error; // else another run was faster
    });
    return starter;
  } catch (cause) {
    throw new Error(
      'These tests need Redis: install redis-server or valkey-server so that it is on the PATH, or set REDIS_URL (fetching the Debian package without installing it has failed too).',
      { cause },
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function unpackPackages(folder: string): Promise<void> {
  let options = ['-o', 'APT::Sandbox::User=root'];
  let names = await findMissingPackages(options);
  if (names.length === 0) {
    // A bare machine has no package lists: fetch them, to a place of our own.
    await mkdir(join(folder, 'lists/partial'), { recursive: true });
    await mkdir(join(folder, 'archives/partial'), { recursive: true });
    options = [
      ...options,
      '-o',
      `Dir::State::lists=${join(folder, 'lists')}`,
      '-o',
      `Dir::Cache=${folder}`,
    ];
    await run('apt-get', [...options, 'update'], { timeout: 120_000 });
    names = await findMissingPackages(options);
  }
  await run('apt-get', [...options, 'download', ...names], { cwd: folder, timeout: 120_000 });
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.deb')) continue;
    await run('dpkg', ['-x', file, 'root'], { cwd: folder, timeout: 60_000 });
    await rm(join(folder, file));
  }
  await rm(join(folder, 'lists'), { recursive: true, force: true });
}

/** What an installation would add, by the package manager's own reckoning; none if it can't. */
async function findMissingPackages(options: string[]): Promise<string[]> {
  for (const name of PACKAGES) {
    const args = [...options, '--simulate', '--no-install-recommends', 'install', name];
    const { stdout } = await run('apt-get', args, { timeout: 60_000 }).catch(() => ({
      stdout: '',
    }));
    const names = [...stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
    if (names.length > 0) return names;
  }
  return [];
}

/** The unpacked program finds its libraries only if told where they are. */
async function writeStarter(folder: string): Promise<void> {
  const programs = await readdir(join(folder, 'root/usr/bin'));
  const program = PACKAGES.find((name) => programs.includes(name));
  if (program === undefined) throw new Error('The package holds no server.');
  const script = `#!/bin/sh
root=$(dirname "$0")/root/usr
export LD_LIBRARY_PATH=$(find "$root/lib" -name '*.so*' -exec dirname {} + | sort -u | tr '\\n' ':')
exec "$root/bin/${program}" "$@"
`;
  const path = join(folder, 'start-redis');
  await writeFile(path, script);
  await chmod(path, 0o755);
  await run(path, ['--version'], { timeout: 10_000 });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
