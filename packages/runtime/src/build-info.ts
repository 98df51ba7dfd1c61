import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface BuildInfo {
  /** The version in the root package.json, which is its only source. */
  version: string;
  /** The commit of a packed release; `unknown` in a working tree. */
  commit: string;
}

const ROOT = resolve(import.meta.dirname, '../../..');

/** Returns the version and commit of this build. `folder` is the folder of the release. */
export function readBuildInfo(folder: string = ROOT): BuildInfo {
  const { version } = readJson(join(folder, 'package.json')) as { version: string };
  try {
    const { commit } = readJson(join(folder, 'build-info.json')) as { commit: string };
    return { version, commit };
  } catch (error) {
    // `npm run release:pack` writes the file.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return { version, commit: 'unknown' };
    }
    throw error;
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
