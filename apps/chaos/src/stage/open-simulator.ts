import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildProcess, type Closers, startSimulator } from '@switchboard/testing';

/** The carrier, whose lines are in `carrier.log` of the folder in the end. */
export function openSimulator(
  closers: Closers,
  folder: string,
  env: Record<string, string> = {},
): Promise<ChildProcess> {
  return closers.open(
    () => startSimulator(env),
    async (simulator) => {
      await simulator.stop();
      await writeFile(join(folder, 'carrier.log'), simulator.logs.join('\n'));
    },
  );
}
