import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const HELP = {
  backup: 'backup of the database',
  restore_test: 'restore of the newest backup',
  retention: 'deletion of old messages',
};

/**
 * Runs a scheduled job and writes its result for node_exporter's textfile collector. Alerts use the
 * time of the last success. Without `folder`, no result is written.
 */
export async function recordRun<Result>(
  job: { name: keyof typeof HELP; folder: string | undefined },
  run: () => Promise<Result>,
): Promise<Result> {
  const { name, folder } = job;
  if (folder === undefined) return run();
  const file = join(folder, `switchboard_${name}.prom`);
  try {
    const result = await run();
    await writeMetrics(file, name, { succeeded: true, at: Date.now() / 1_000 });
    return result;
  } catch (error) {
    await writeMetrics(file, name, { succeeded: false, at: await readLastSuccess(file) });
    throw error;
  }
}

/** Returns the time of the last success, or 0 if the job never succeeded, so that the alert fires. */
async function readLastSuccess(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number(/^\w+_last_success_timestamp_seconds (\S+)$/m.exec(text)?.[1] ?? 0);
}

async function writeMetrics(
  file: string,
  name: keyof typeof HELP,
  { succeeded, at }: { succeeded: boolean; at: number },
): Promise<void> {
  const metric = `switchboard_${name}`;
  const lines = [
    `# HELP ${metric}_last_success_timestamp_seconds When the last ${HELP[name]} succeeded, in Unix time.`,
    `# TYPE ${metric}_last_success_timestamp_seconds gauge`,
    `${metric}_last_success_timestamp_seconds ${at.toFixed(3)}`,
    `# HELP ${metric}_last_run_success Whether the last ${HELP[name]} succeeded (1) or failed (0).`,
    `# TYPE ${metric}_last_run_success gauge`,
    `${metric}_last_run_success ${succeeded ? 1 : 0}`,
  ];
  // The collector must never read half a file, and reads only files that end in .prom.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${lines.join('\n')}\n`);
  await chmod(draft, 0o644);
  await rename(draft, file);
}
