import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../../..');
const OWN_PACKAGES = '@switchboard';
const BUILD_TIMEOUT_MS = 300_000;

/** The end of the name of an archive that `npm run release:pack` has written. */
const PACKED = '.tar.gz';

/**
 * Unpacks or builds a release in a subfolder of `folder` and returns it.
 *
 * @param release the path of an archive of `release:pack`, or a revision of this repository
 */
export async function prepareRelease(
  release: string,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  if (!release.endsWith(PACKED)) return buildRevision(release, folder, signal);
  await run('tar', ['-xzf', resolve(release), '-C', folder]);
  return join(folder, basename(release, PACKED));
}

/** Uses the packages that are installed here if both revisions have the same lockfile. */
async function buildRevision(
  revision: string,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--verify', `${revision}^{commit}`], {
    cwd: ROOT,
  });
  const commit = stdout.trim();
  const target = join(folder, `revision-${commit.slice(0, 12)}`);
  await mkdir(target, { recursive: true });
  const archive = `${target}.tar`;
  await run('git', ['archive', '--format=tar', '-o', archive, commit], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', target]);
  await rm(archive);
  const options = { cwd: target, timeout: BUILD_TIMEOUT_MS, signal };
  if (await haveSameLock(target)) await linkModules(target);
  else await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  await run('npm', ['run', 'build'], options);
  return target;
}

async function haveSameLock(target: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all(
    [ROOT, target].map((folder) => readFile(join(folder, 'package-lock.json'), 'utf8')),
  );
  return ours === theirs;
}

/** Links to all installed packages except the repository's own, which must be those of the revision. */
async function linkModules(target: string): Promise<void> {
  const modules = join(ROOT, 'node_modules');
  await mkdir(join(target, 'node_modules', OWN_PACKAGES), { recursive: true });
  for (const name of await readdir(modules)) {
    if (name === OWN_PACKAGES || (name.startsWith('.') && name !== '.bin')) continue;
    await symlink(join(modules, name), join(target, 'node_modules', name));
  }
  // These links are relative, so in `target` they point to the packages of the revision.
  for (const name of await readdir(join(modules, OWN_PACKAGES))) {
    const link = await readlink(join(modules, OWN_PACKAGES, name));
    await symlink(link, join(target, 'node_modules', OWN_PACKAGES, name));
  }
  for (const kind of ['apps', 'packages']) {
    for (const name of await readdir(join(ROOT, kind))) {
      const own = join(ROOT, kind, name, 'node_modules');
      const entries = await readdir(own).catch((): string[] => []);
      if (entries.length === 0) continue;
      await cp(own, join(target, kind, name, 'node_modules'), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
  }
}
