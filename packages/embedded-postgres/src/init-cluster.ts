import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import { type Launcher, LAUNCH_ENVIRONMENT } from './choose-launcher.ts';

const INIT_TIMEOUT_MS = 60_000;

/** The owner of the embedded database. */
export const USER = 'switchboard';

/**
 * Creates the database cluster if it does not exist, and returns the password of its user. The
 * cluster is created in a temporary folder, which is then renamed, so that an incomplete cluster is
 * never used.
 */
export async function initCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  launch: Launcher,
): Promise<string> {
  const cluster = join(dataDir, 'cluster');
  const passwordFile = join(dataDir, 'password');
  if (await exists(cluster)) return readFile(passwordFile, 'utf8');

  const draft = join(dataDir, 'cluster.new');
  const password = randomBytes(24).toString('base64url');
  await rm(draft, { recursive: true, force: true });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, password, { mode: 0o600 });
  const [command, args] = launch(binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The builtin provider sorts identically on every machine.
    ...(binaries.hasNoBuiltinLocales === true
      ? ['--locale=C.UTF-8']
      : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']),
    '--no-instructions',
  ]);
  await run(command, args);
  await rename(draft, cluster);
  return password;
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: LAUNCH_ENVIRONMENT,
      detached: true, // a separate process group, which Ctrl-C in the terminal does not signal
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: INIT_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      const lines = errors.trim().split('\n');
      // After an error, initdb reports that it removes the folder.
      const line = lines.find((one) => /\b(?:FATAL|PANIC|error):/.test(one)) ?? lines.at(-1);
      const reason = line || signal || `exit code ${code}`;
      reject(new Error(`PostgreSQL could not create its data folder: ${reason}`));
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
