import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { readTestingConfig } from '../config.ts';
import { findCompiledApp, findProgramFile } from './find-program-file.ts';
import { type ChildProcess, startChild } from './start-child.ts';

/** The default secret that the API and the workers of a test share. */
export const TEST_SECRET_KEY = Buffer.alloc(32, 'switchboard').toString('base64');

/** Port 9, discard, is reserved, so no API of a developer or of another test listens there. */
const UNSERVED_URL = 'http://127.0.0.1:9';

/** The flag of the API in production. Without it, V8 does not use the code cache of the bundle. */
const API_FLAGS = ['--max-semi-space-size=64'];

type Env = Readonly<Record<string, string | undefined>>;

export interface AppOptions {
  /** The folder of a checkout or of a release, instead of this checkout. */
  root?: string;
  /** Runs the compiled files instead of the bundle. */
  isUnbundled?: boolean;
  nodeFlags?: readonly string[];
  logFile?: string;
  /** Runs until this process ends, for the following test files: see `start-once.ts`. */
  isShared?: boolean;
}

/**
 * Starts the carrier simulator on a free port, with an empty ledger unless `env` has a `DATA_DIR`.
 */
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

/** Starts an API on a free port, which is also its `PUBLIC_URL`; `env` must have `DATABASE_URL`. */
export async function startApi(env: Env, options: AppOptions = {}): Promise<ChildProcess> {
  const port = env['PORT'] ?? String(await findFreePort());
  const own = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, SECRET_KEY: TEST_SECRET_KEY };
  const nodeFlags = [...API_FLAGS, ...(options.nodeFlags ?? [])];
  return startApp('api', { ...own, ...env }, { ...options, nodeFlags });
}

/**
 * Starts a worker; `env` must have `DATABASE_URL`, and the `PUBLIC_URL` of an API for callbacks.
 * Without `PUBLIC_URL`, callbacks go to a URL that nothing serves.
 */
export function startWorker(env: Env, options: AppOptions = {}): Promise<ChildProcess> {
  const own = { PUBLIC_URL: UNSERVED_URL, SECRET_KEY: TEST_SECRET_KEY };
  return startApp('worker', { ...own, ...env }, options);
}

function startApp(
  name: string,
  env: Env,
  { root, isUnbundled = false, nodeFlags = [], ...options }: AppOptions,
): Promise<ChildProcess> {
  const program = isUnbundled ? findCompiledApp(name) : findProgramFile(name, root);
  return startChild({
    ...options,
    name,
    command: process.execPath,
    args: [...nodeFlags, program],
    env: { PATH: readTestingConfig().path, HOST: '127.0.0.1', ...env },
  });
}
