import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  type ChildProcess,
  type WorkspaceFixture,
  createWorkspaceFixture,
  startApi,
  startWorker,
} from '@switchboard/testing';

type Env = Record<string, string>;

/** A built version of the service. */
export interface Release {
  /** Whether its APIs continue to serve for DRAIN_MS after SIGTERM. */
  drains: boolean;
  supportsPgBouncer: boolean;
  migrate(databaseUrl: string): Promise<void>;
  createWorkspace(databaseUrl: string): Promise<WorkspaceFixture>;
  startApi(env: Env): Promise<ChildProcess>;
  startWorker(env: Env): Promise<ChildProcess>;
}

const MIGRATE_TIMEOUT_MS = 60_000;
const CREATE_TIMEOUT_MS = 30_000;

export const THIS_RELEASE: Release = {
  ...processesOf(resolve(import.meta.dirname, '../../../..')),
  drains: true,
  supportsPgBouncer: true,
  createWorkspace: (databaseUrl) => createWorkspaceFixture(databaseUrl),
};

export async function openRelease(root: string): Promise<Release> {
  const settings = await readOldSettings(root);
  return {
    ...processesOf(root),
    drains: settings?.includes('DRAIN_MS') ?? true,
    supportsPgBouncer: settings?.includes('DIRECT_DATABASE_URL') ?? true,
    createWorkspace: (databaseUrl) => createWorkspaceOf(root, databaseUrl),
  };
}

/** Returns null for a release with a folder of settings: every such release has the settings in question. */
async function readOldSettings(root: string): Promise<string | null> {
  try {
    return await readFile(join(root, 'packages/runtime/src/settings.ts'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Runs in a separate process, because one process cannot load two versions of the same packages. */
async function createWorkspaceOf(root: string, databaseUrl: string): Promise<WorkspaceFixture> {
  const testing = pathToFileURL(join(root, 'packages/testing/dist/index.js')).href;
  const script = `
    import { createWorkspaceFixture } from '${testing}';
    console.log(JSON.stringify(await createWorkspaceFixture(process.argv[1])));`;
  const args = ['--input-type=module', '--eval', script, databaseUrl];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: CREATE_TIMEOUT_MS,
  });
  return JSON.parse(stdout) as WorkspaceFixture;
}

function processesOf(root: string): Pick<Release, 'migrate' | 'startApi' | 'startWorker'> {
  return {
    async migrate(databaseUrl) {
      await promisify(execFile)(process.execPath, [join(root, 'apps/cli/dist/migrate.js')], {
        env: { DATABASE_URL: databaseUrl },
        timeout: MIGRATE_TIMEOUT_MS,
      });
    },
    startApi: (env) => startApi(env, { root }),
    startWorker: (env) => startWorker(env, { root }),
  };
}
