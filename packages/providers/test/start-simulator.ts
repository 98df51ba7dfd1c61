import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgramFile } from '@switchboard/testing';

const MAIN = findProgramFile('simulator');

/** Starts the carrier simulator as a separate process. */
export async function startSimulator() {
  if (!existsSync(MAIN)) throw new Error('The simulator is not built: run `npm run build` first.');
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-simulator-'));
  const child = fork(MAIN, {
    env: { ...process.env, SIMULATOR_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    execArgv: [],
    silent: true,
  });
  const exited = once(child, 'exit');
  const [ready] = (await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => {
      throw new Error(`The simulator exited with ${String(code)} before it was ready.`);
    }),
  ])) as [
    {
      type: 'ready';
      url: string;
      providerUrls: Record<'telnyx' | 'vonage' | 'smpp' | 'http', string>;
    },
  ];

  return {
    url: ready.url,
    providerUrls: ready.providerUrls,
    async close() {
      child.kill('SIGTERM');
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
