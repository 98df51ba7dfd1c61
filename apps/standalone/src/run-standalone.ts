import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startGuard, whenParentExits } from '@switchboard/embedded-postgres';
import { assertPortsFree } from './assert-ports-free.ts';
import { explainFileError } from './explain-file-error.ts';
import { readStandaloneConfig, type StandaloneConfig } from './config.ts';
import { createProcesses } from './create-processes.ts';
import {
  createShutdownRequest,
  ShutdownError,
  type ShutdownReason,
  type ShutdownRequest,
} from './shutdown-request.ts';
import { openChildrenFile, stopLeftoverChildren } from './leftover-children.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { createWelcome } from './welcome.ts';

/** Runs all processes until a shutdown is requested. Returns the exit code. */
export async function runStandalone(): Promise<number> {
  const shutdown = createShutdownRequest();
  let dataDir = '';
  try {
    const config = await readStandaloneConfig();
    ({ dataDir } = config);
    if (config.isRunByNpm) {
      const reason = 'The parent process, npm, has exited.';
      whenParentExits(() => shutdown.request({ exitCode: 1, reason }));
    }
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const lock = await lockDataFolder(config.dataDir);
    try {
      return await runLocked(config, shutdown);
    } finally {
      await lock.release();
    }
  } catch (error) {
    process.stderr.write(`${explainFileError(error, dataDir)}\n`);
    return 1;
  } finally {
    shutdown.release();
  }
}

async function runLocked(config: StandaloneConfig, shutdown: ShutdownRequest): Promise<number> {
  const startedAt = performance.now();
  await stopLeftoverChildren(config.dataDir);
  const children = openChildrenFile(config.dataDir);
  await children.remove();
  const guard = startGuard(join(import.meta.dirname, 'guard.js'), [config.dataDir]);
  await assertPortsFree(config);

  const processes = createProcesses(config, shutdown, children);
  let reason: ShutdownReason;
  try {
    await processes.start();
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(await createWelcome(config, seconds));
    reason = await shutdown.requested;
  } catch (error) {
    reason =
      error instanceof ShutdownError
        ? error.shutdown
        : { exitCode: 1, reason: explainFileError(error, config.dataDir) };
    shutdown.request(reason); // From here on, a signal is a second request.
  }

  if (reason.exitCode !== 0) process.stderr.write(`\n${reason.reason}\n`);
  process.stdout.write(`\nStopping${reason.exitCode === 0 ? ` (${reason.reason})` : ''} …\n`);
  const problems = await processes.stop();
  await children.remove();
  guard.dismiss();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write('Stopped.\n');
  return problems.length > 0 ? 1 : reason.exitCode;
}
