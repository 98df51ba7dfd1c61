import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EVENTUALLY } from '../eventually.ts';
import { ROOT_FOLDER } from '../root-folder.ts';

const run = promisify(execFile);
/** For the package lists, and for a package of 20 MB, over a slow network. */
const NETWORK_TIMEOUT_MS = 300_000;

/** A server program that tests run and that no npm package contains. */
export interface Program {
  /** Its name in messages, and the name of its folder in the cache. */
  name: string;
  /** The possible names of the program; the first one found is used. */
  commands: readonly string[];
  /** The Debian and Ubuntu packages that contain it; the first available one is fetched. */
  packages: readonly string[];
  /** The argument with which it prints its version and exits. */
  versionArgument: string;
  /** The folder in the package that contains it, if that is not a usual folder of programs. */
  folder?: string;
  /** Another way to provide the server, for the error message. */
  alternative?: string;
}

/**
 * Fetches the distribution's package and unpacks it into a cache folder, with the libraries that
 * this machine lacks. Installs nothing and needs no root.
 */
export async function fetchProgram(program: Program): Promise<string> {
  const starterName = `start-${program.name.toLowerCase()}`;
  try {
    const folder = await fetchPackages(program, (draft) =>
      writeStarter(draft, starterName, program),
    );
    return join(folder, starterName);
  } catch (cause) {
    throw new Error(
      `These tests need ${program.name}: install ${program.commands.join(' or ')} so that it is on the PATH${program.alternative ?? ''} (downloading the Debian package also failed).`,
      { cause },
    );
  }
}

/**
 * Fetches the first of `packages` that the distribution has, with its dependencies that this
 * machine lacks, and unpacks them below `root` of a folder in the cache. Returns that folder.
 *
 * @param finish called once, with the folder before it is renamed to its final name
 */
export async function fetchPackages(
  { name, packages }: Pick<Program, 'name' | 'packages'>,
  finish: (draft: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const target = join(ROOT_FOLDER, '.cache', name.toLowerCase());
  if (await exists(target)) return target;
  const draft = `${target}.${process.pid}`;
  try {
    await mkdir(draft, { recursive: true });
    await unpackPackages(draft, packages);
    await finish(draft);
    await rename(draft, target).catch(async (error: unknown) => {
      if (!(await exists(target))) throw error; // otherwise another run was faster
    });
    return target;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function unpackPackages(folder: string, packages: readonly string[]): Promise<void> {
  let options = ['-o', 'APT::Sandbox::User=root'];
  let names = await findMissingPackages(options, packages);
  if (names.length === 0) {
    // A new machine has no package lists: fetch them into our own folder.
    await mkdir(join(folder, 'lists/partial'), { recursive: true });
    await mkdir(join(folder, 'archives/partial'), { recursive: true });
    options = [
      ...options,
      '-o',
      `Dir::State::lists=${join(folder, 'lists')}`,
      '-o',
      `Dir::Cache=${folder}`,
    ];
    await run('apt-get', [...options, 'update'], { timeout: NETWORK_TIMEOUT_MS });
    names = await findMissingPackages(options, packages);
  }
  await run('apt-get', [...options, 'download', ...names], {
    cwd: folder,
    timeout: NETWORK_TIMEOUT_MS,
  });
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.deb')) continue;
    await run('dpkg', ['-x', file, 'root'], { cwd: folder, timeout: EVENTUALLY.timeout });
    await rm(join(folder, file));
  }
  await rm(join(folder, 'lists'), { recursive: true, force: true });
}

/**
 * Lists the packages that an installation would add, as the package manager computes them; empty if
 * it fails.
 */
async function findMissingPackages(
  options: string[],
  packages: readonly string[],
): Promise<string[]> {
  for (const name of packages) {
    const args = [...options, '--simulate', '--no-install-recommends', 'install', name];
    const { stdout } = await run('apt-get', args, { timeout: EVENTUALLY.timeout }).catch(() => ({
      stdout: '',
    }));
    const names = [...stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
    if (names.length > 0) return names;
  }
  return [];
}

/** The unpacked program finds its libraries and Python modules only through these variables. */
async function writeStarter(folder: string, name: string, program: Program): Promise<void> {
  const found: string[] = [];
  const places = program.folder === undefined ? ['usr/bin', 'usr/sbin'] : [program.folder];
  for (const place of places) {
    const files = await readdir(join(folder, 'root', place)).catch((): string[] => []);
    found.push(
      ...program.commands.filter((one) => files.includes(one)).map((one) => join(place, one)),
    );
  }
  const [command] = found;
  if (command === undefined) throw new Error(`The package does not contain ${program.name}.`);
  const script = `#!/bin/sh
root=$(dirname "$0")/root
export LD_LIBRARY_PATH=$(find "$root" -name '*.so*' -exec dirname {} + | sort -u | tr '\\n' ':')
export PYTHONPATH="$root/usr/lib/python3/dist-packages"
exec "$root/${command}" "$@"
`;
  const path = join(folder, name);
  await writeFile(path, script);
  await chmod(path, 0o755);
  await run(path, [program.versionArgument], { timeout: EVENTUALLY.timeout });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
