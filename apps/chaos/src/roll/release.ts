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

/** A version of the service as it is built in some folder. */
export interface Release {
  /** Whether its APIs go on serving for a while when they are told to end. */
  drains: boolean;
  knowsPgBouncer: boolean;
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
  knowsPgBouncer: true,
  createWorkspace: (databaseUrl) => createWorkspaceFixture(databaseUrl),
};

export async function openRelease(root: string): Promise<Release> {
  const settings = await readOldSettings(root);
  return {
    ...processesOf(root),
    drains: settings?.includes('DRAIN_MS') ?? true,
    knowsPgBouncer: settings?.includes('DIRECT_DATABASE_URL') ?? true,
    createWorkspace: (databaseUrl) => createWorkspaceOf(root, databaseUrl),
  };
}

/** Null for a release whose settings are in a folder: it has all that is asked for here. */
async function readOldSettings(root: string): Promise<string | null> {
  try {
    return await readFile(join(root, 'packages/runtime/src/settings.ts'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** In a process of its own: two versions of what both bring can't be in one. */
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
