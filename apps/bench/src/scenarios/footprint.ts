import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgramFile, startChild } from '@switchboard/testing';
import { readMemoryMb } from '../environment/machine.ts';
import type { RunOptions, Scenario } from '../scenario.ts';

const IDLE_MS = 5_000;

export const footprint: Scenario = {
  name: 'footprint',
  summary: 'memory of idle processes, and the duration of the first `npm start`',
  async run(run) {
    const environment = await run.open({ workspaces: 1 });
    const api = await environment.startApi();
    const worker = await environment.startWorker(api.url);
    await delay(IDLE_MS);
    run.report('API, idle', 'MB', readMemoryMb(api.pid));
    run.report('worker, idle', 'MB', readMemoryMb(worker.pid));
    await environment.close();
    run.progress('npm start');
    run.report('first npm start, ready in', 'seconds', await measureFirstStart(run));
  },
};

/** Measures `npm start` after the build: it creates and migrates the database and adds the demo data. */
async function measureFirstStart({ cleanUps }: RunOptions): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchboard-bench-start-'));
  const startedAt = performance.now();
  const starting = startChild({
    name: 'standalone',
    command: process.execPath,
    args: [findProgramFile('standalone')],
    env: { PATH: dirname(process.execPath), DATA_DIR: dataDir, PORT: '0', SIMULATOR_PORT: '0' },
    isReady: (line) => line.includes('Switchboard is ready'),
    readyTimeoutMs: 90_000,
    stopTimeoutMs: 60_000,
  });
  async function stopAndRemove(): Promise<void> {
    const child = await starting.catch(() => null); // It has already stopped.
    await child?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  let undone: Promise<void> | null = null;
  const undo = () => (undone ??= stopAndRemove());
  cleanUps.add(undo);
  try {
    await starting;
    return (performance.now() - startedAt) / 1000;
  } finally {
    await undo();
  }
}
