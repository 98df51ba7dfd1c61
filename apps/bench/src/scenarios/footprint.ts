import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChild } from '@switchboard/testing';
import { readBenchConfig } from '../config.ts';
import type { RunOptions, Scenario } from '../scenario.ts';
import { readResidentMb } from '../environment/memory.ts';
import { openBenchEnvironment } from '../environment/open-environment.ts';

const IDLE_MS = 5_000;
const STANDALONE = join(import.meta.dirname, '../../../standalone/dist/main.js');

export const footprint: Scenario = {
  name: 'footprint',
  summary: 'memory of idle processes, and the duration of the first `npm start`',

  async run(options) {
    const environment = await openBenchEnvironment({ ...options, workspaces: 1 });
    try {
      const api = await environment.startApi();
      const worker = await environment.startWorker(api.url);
      await delay(IDLE_MS);
      const memory = [readResidentMb(api.pid), readResidentMb(worker.pid)];
      await environment.close();
      options.onProgress('npm start');
      return [
        { name: 'API, idle', value: memory[0] ?? 0, unit: 'MB', goal: { atMost: 150 } },
        { name: 'worker, idle', value: memory[1] ?? 0, unit: 'MB', goal: { atMost: 150 } },
        {
          name: 'first npm start, ready in',
          value: await measureFirstStart(options),
          unit: 'seconds',
          goal: { atMost: 5 },
        },
      ];
    } finally {
      await environment.close();
    }
  },
};

/** Measures `npm start` after the build: it creates and migrates the database and adds the demo data. */
async function measureFirstStart({ cleanUps }: RunOptions): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchboard-bench-start-'));
  const startedAt = performance.now();
  const starting = startChild({
    name: 'standalone',
    command: process.execPath,
    args: [STANDALONE],
    env: { PATH: readBenchConfig().path, DATA_DIR: dataDir, PORT: '0', SIMULATOR_PORT: '0' },
    isReady: (line) => line.includes('Switchboard is ready'),
    readyTimeoutMs: 90_000,
    stopTimeoutMs: 60_000,
  });
  let undone: Promise<void> | null = null;
  const undo = () => (undone ??= stopAndRemove(starting, dataDir));
  cleanUps.add(undo);
  try {
    await starting;
    return (performance.now() - startedAt) / 1000;
  } finally {
    await undo();
  }
}

async function stopAndRemove(
  starting: ReturnType<typeof startChild>,
  dataDir: string,
): Promise<void> {
  const child = await starting.catch(() => null); // It has already stopped.
  await child?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
