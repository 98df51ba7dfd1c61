import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EVENTUALLY, startChild } from '@switchboard/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../dist/main.js');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stopped-bench-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['SIGTERM', 'while its servers start', 'history: starting', 143],
  ['SIGINT', 'during a scenario', 'history: 200000 of 200000 rows', 130],
] as const)(
  'npm run bench leaves no process or file behind if it receives %s %s',
  async (signal, _when, line, code) => {
    const run = await startChild({
      name: 'bench',
      command: process.execPath,
      args: [MAIN, 'history', '--short'],
      env: {
        PATH: process.env['PATH'] ?? '',
        TMPDIR: folder,
      },
      isReady: (output) => output.startsWith(line),
      readyTimeoutMs: 120_000,
    });
    expect(await readdir(folder)).not.toEqual([]);
    run.signal(signal);
    expect(await run.exited).toEqual({ code, signal: null });
    // A process of its own removes the folder of the run, after the run has ended.
    await expect.poll(() => readdir(folder), EVENTUALLY).toEqual([]);
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
    expect(stdout.split('\n').filter((args) => args.includes(folder))).toEqual([]);
  },
);
