import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/** Returns the command line that runs a program as a user that PostgreSQL accepts. */
export type Launcher = (program: string, args: string[]) => [command: string, args: string[]];

/** The environment of PostgreSQL's programs. It is minimal, and messages are in English. */
export const LAUNCH_ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

const NOBODY = 65534;

/**
 * Chooses how PostgreSQL's programs are run. PostgreSQL refuses to run as root, and another user
 * may have no access to the data folder. As root, PostgreSQL therefore runs in a user namespace
 * that maps root to another user id. Where namespaces are not allowed, for example in containers,
 * it runs as the owner of the data folder and keeps one capability of root: to traverse folders
 * without access for others.
 */
export function chooseLauncher(dataDir: string): Launcher {
  const mapUser = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
  const launchInNamespace: Launcher = (program, args) => [
    'unshare',
    [...mapUser, program, ...args],
  ];
  if (process.geteuid?.() !== 0) {
    if (!hasName() && works('unshare', mapUser)) return launchInNamespace;
    return (program, args) => [program, args];
  }

  const owner = statSync(dataDir);
  if (owner.uid === 0 && works('unshare', mapUser)) return launchInNamespace;

  const user = owner.uid === 0 ? { uid: NOBODY, gid: NOBODY } : owner;
  const changed = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // Without it, access(2) would ignore the capability when PostgreSQL searches for its programs.
    '--securebits=+no_setuid_fixup',
  ];
  if (!works('setpriv', changed)) {
    throw new Error(
      'PostgreSQL does not run as root, and on this machine root can neither create a user namespace (unshare) nor change its user (setpriv). Start as another user, or set DATABASE_URL.',
    );
  }
  if (owner.uid === 0) changeOwner(dataDir, user.uid, user.gid);
  return (program, args) => ['setpriv', [...changed, program, ...args]];
}

/** A container may run under a user id without a name, but PostgreSQL requires a name. */
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

function changeOwner(folder: string, uid: number, gid: number): void {
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) changeOwner(path, uid, gid);
    else lchownSync(path, uid, gid);
  }
}
