import { mkdir } from 'node:fs/promises';
import { assertPortsFree } from './assert-ports-free.ts';
import { readStandaloneConfig, type StandaloneConfig } from './config.ts';
import { createProcesses } from './create-processes.ts';
import { createEnding, type End, type Ending, EndingError } from './ending.ts';
import { clearLeftoverChildren } from './leftover-children.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { createWelcome } from './welcome.ts';

/** Everything on one machine, until it is told to end; returns the exit code. */
export async function runStandalone(): Promise<number> {
  const ending = createEnding();
  try {
    const config = await readStandaloneConfig();
    if (config.isRunByNpm) endWithParent(ending);
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const lock = await lockDataFolder(config.dataDir);
    try {
      return await runLocked(config, ending);
    } finally {
      await lock.release();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    ending.release();
  }
}

/** A killed npm tells nobody; what it ran must not go on behind its back. */
function endWithParent(ending: Ending): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent)
      ending.begin({ exitCode: 1, reason: 'npm, which ran this, is gone.' });
  }, 250);
  timer.unref();
}

async function runLocked(config: StandaloneConfig, ending: Ending): Promise<number> {
  const startedAt = performance.now();
  const children = await clearLeftoverChildren(config.dataDir);
  await assertPortsFree(config);

  const processes = createProcesses(config, ending, children);
  let end: End;
  try {
    await processes.start();
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(await createWelcome(config, seconds));
    end = await ending.begun;
  } catch (error) {
    end =
      error instanceof EndingError
        ? error.end
        : { exitCode: 1, reason: error instanceof Error ? error.message : String(error) };
    ending.begin(end); // from here on a signal means impatience
  }

  if (end.exitCode !== 0) process.stderr.write(`\n${end.reason}\n`);
  process.stdout.write(`\nStopping${end.exitCode === 0 ? ` (${end.reason})` : ''} …\n`);
  const problems = await processes.stop();
  await children.remove();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write('Stopped.\n');
  return problems.length > 0 ? 1 : end.exitCode;
}
