import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface BuildInfo {
  /** Of the root package.json, the only place that has it. */
  version: string;
  /** The commit that a release was packed from; `unknown` in a working tree. */
  commit: string;
}

const ROOT = resolve(import.meta.dirname, '../../..');

/** Reads which build runs. `folder` is that of the release. */
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
