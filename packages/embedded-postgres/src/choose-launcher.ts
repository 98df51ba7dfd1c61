import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/** The command line that runs a program as a user PostgreSQL agrees to run as. */
export type Launcher = (program: string, args: string[]) => [command: string, args: string[]];

/** The environment of PostgreSQL's programs: none of ours, and messages in English. */
export const LAUNCH_ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

const NOBODY = 65534;

/**
 * PostgreSQL refuses to run as root. Another user could not even enter a folder closed to others,
 * so root's PostgreSQL runs in a user namespace that calls root's own rights by another name.
 * Where namespaces are forbidden (containers), it becomes the owner of its data for real and keeps
 * one right of root's: to walk through closed folders.
 */
export function chooseLauncher(dataDir: string): Launcher {
  const renamed = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  const launchRenamed: Launcher = (program, args) => ['unshare', [...renamed, program, ...args]];
  if (process.geteuid?.() !== 0) {
    if (!hasName() && works('unshare', renamed)) return launchRenamed;
    return (program, args) => [program, args];
  }

  const owner = statSync(dataDir);
  if (owner.uid === 0 && works('unshare', renamed)) return launchRenamed;

  const user = owner.uid === 0 ? { uid: NOBODY, gid: NOBODY } : owner;
  const changed = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // access(2) would forget that right, and PostgreSQL looks for its own programs with it.
    '--securebits=+no_setuid_fixup',
  ];
  if (!works('setpriv', changed)) {
    throw new Error(
      'PostgreSQL does not run as root, and this machine lets root neither make a user namespace (unshare) nor change its user (setpriv): start as another user, or set DATABASE_URL.',
    );
  }
  if (owner.uid === 0) giveTo(dataDir, user.uid, user.gid);
  return (program, args) => ['setpriv', [...changed, program, ...args]];
}

/** A container may run under a user id that no user has; PostgreSQL insists on a name for it. */
function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

function works(command: string, args: string[]): boolean {
  const options = { env: LAUNCH_ENVIRONMENT, timeout: 5_000, stdio: 'ignore' } as const;
  return spawnSync(command, [...args, 'true'], options).status === 0;
}

function giveTo(folder: string, uid: number, gid: number): void {
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) giveTo(path, uid, gid);
    else lchownSync(path, uid, gid);
  }
}
