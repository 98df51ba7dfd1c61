import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { readTestingConfig } from '../config.ts';
import { ROOT_FOLDER } from '../root-folder.ts';
import { type ChildProcess, startChild } from './start-child.ts';

/** What API and workers of a test share unless they are given another. */
export const TEST_SECRET_KEY = Buffer.alloc(32, 'switchboard').toString('base64');

type Env = Readonly<Record<string, string | undefined>>;

export interface AppOptions {
  /** Another checkout, as it is built there. */
  root?: string;
  nodeFlags?: readonly string[];
  logFile?: string;
}

/** The carrier simulator on a free port, with an empty ledger unless `env` names a `DATA_DIR`. */
export async function startSimulator(
  env: Env = {},
  options: AppOptions = {},
): Promise<ChildProcess> {
  const own = await mkdtemp(join(tmpdir(), 'switchboard-simulator-'));
  const removeOwn = () => rm(own, { recursive: true, force: true });
  try {
    const settings = { SIMULATOR_PORT: '0', DATA_DIR: own, ...env };
    const child = await startApp('simulator', settings, options);
    return { ...child, exited: child.exited.finally(removeOwn) };
  } catch (error) {
    await removeOwn();
    throw error;
  }
}

/** An API on a free port, which `PUBLIC_URL` names too; `env` must hold `DATABASE_URL`. */
export async function startApi(env: Env, options: AppOptions = {}): Promise<ChildProcess> {
  const port = env['PORT'] ?? String(await findFreePort());
  const own = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, SECRET_KEY: TEST_SECRET_KEY };
  return startApp('api', { ...own, ...env }, options);
}

/** A worker; `env` must hold `DATABASE_URL`, and the `PUBLIC_URL` of an API for callbacks. */
export function startWorker(env: Env, options: AppOptions = {}): Promise<ChildProcess> {
  const own = { PUBLIC_URL: 'http://127.0.0.1:3000', SECRET_KEY: TEST_SECRET_KEY };
  return startApp('worker', { ...own, ...env }, options);
}

/** Runs an app as it is built in a checkout, the way it runs in production. */
function startApp(
  name: string,
  env: Env,
  { root = ROOT_FOLDER, nodeFlags = [], ...options }: AppOptions,
): Promise<ChildProcess> {
  return startChild({
    ...options,
    name,
    command: process.execPath,
    args: [...nodeFlags, join(root, `apps/${name}/dist/main.js`)],
    env: { PATH: readTestingConfig().path, HOST: '127.0.0.1', ...env },
    // Some two seconds of processor time, which on a busy machine are long in coming.
    readyTimeoutMs: 45_000,
  });
}
