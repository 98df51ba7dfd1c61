import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type ChildProcess, findProgramFile, startApi, startWorker } from '@switchboard/testing';

type Env = Record<string, string>;

/** A built version of the service. */
export interface Release {
  migrate(databaseUrl: string): Promise<void>;
  startApi(env: Env): Promise<ChildProcess>;
  startWorker(env: Env): Promise<ChildProcess>;
}

const MIGRATE_TIMEOUT_MS = 60_000;

/** Opens the release whose built programs are below `root`. */
export function openRelease(root: string): Release {
  return {
    async migrate(databaseUrl) {
      await promisify(execFile)(process.execPath, [findProgramFile('migrate', root)], {
        env: { DATABASE_URL: databaseUrl },
        timeout: MIGRATE_TIMEOUT_MS,
      });
    },
    startApi: (env) => startApi(env, { root }),
    startWorker: (env) => startWorker(env, { root }),
  };
}

export const THIS_RELEASE: Release = openRelease(resolve(import.meta.dirname, '../../../..'));
