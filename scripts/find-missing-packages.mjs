import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Compares what npm has installed with package-lock.json, and returns why `npm ci` is needed, or null. npm writes
 * node_modules/.package-lock.json when an installation is complete; an interrupted `npm ci` leaves none. No
 * installed package is built for one release of Node, so another Node needs no other installation. Without `dev`, the
 * development packages are not needed, and it does not matter whether they are there.
 */
export function findMissingPackages(root, { dev }) {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  if (wanted === null) throw new Error(`${root} has no package-lock.json.`);
  if (!existsSync(path.join(root, 'node_modules'))) return 'no packages are installed';
  const installed = readPackages(path.join(root, 'node_modules/.package-lock.json'));
  if (installed === null) return 'an earlier installation is not complete';
  for (const [folder, entry] of Object.entries(wanted)) {
    if (!folder.includes('node_modules/')) continue; // the workspaces themselves
    // `devOptional`: of the others, only a package that does not require it would use it.
    if ((entry.dev || entry.devOptional) && !dev) continue;
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const found = installed[folder];
    if (found === undefined) {
      if (isNeededHere(entry)) return `${name} is not installed`;
    } else if (found.version !== entry.version || found.integrity !== entry.integrity) {
      return `another version of ${name} is installed`;
    } else if (!existsSync(path.join(root, folder, 'package.json'))) {
      return `${name} is not complete`;
    }
  }
  return null;
}

/** npm skips optional packages of other platforms, and the packages that only those need. */
function isNeededHere({ optional = false, os, cpu, libc }) {
  if (!optional) return true;
  // Which C library npm found cannot be read quickly.
  if (os === undefined || cpu === undefined || libc !== undefined) return false;
  return os.includes(process.platform) && cpu.includes(process.arch);
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch (error) {
    // A file that was being written when the machine stopped.
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
