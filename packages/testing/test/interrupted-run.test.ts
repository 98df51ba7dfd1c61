import { mkdtemp, readFile, readdir, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { identifyProcess } from '@switchboard/embedded-postgres';
import { EVENTUALLY, ROOT_FOLDER, startChild } from '@switchboard/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

interface Report {
  folder: string;
  /** The pid of Vitest's main process. */
  vitest: number;
  pids: number[];
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interrupted-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const COMMAND = 'npm test -- --config vitest.interrupted.config.ts';

/** Starts `npm test` in a pseudo-terminal, and waits until its test hangs. */
async function startRun() {
  const report = join(folder, 'report.json');
  const { PATH = '', HOME = '' } = process.env;
  // The shell in the terminal becomes npm, which leads the foreground process group.
  const run = await startChild({
    name: 'npm test',
    command: 'script',
    args: ['-qec', `cd '${ROOT_FOLDER}' && exec ${COMMAND}`, '/dev/null'],
    env: { PATH, HOME, TERM: 'dumb', INTERRUPTED_RUN_REPORT: report, TMPDIR: folder },
    takesInput: true,
    isReady: (line) => line.includes('RUN'),
  });
  const text = await vi.waitFor(() => readFile(report, 'utf8'), EVENTUALLY);
  const { vitest, ...rest } = JSON.parse(text) as Report;
  return { ...rest, run, vitest, npm: await parentOf(vitest) };
}

async function parentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Lists the processes that have the text in their environment, arguments or working directory. */
async function findProcesses(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const places = [
      readFile(`/proc/${pid}/environ`, 'latin1'),
      readFile(`/proc/${pid}/cmdline`, 'latin1'),
      readlink(`/proc/${pid}/cwd`),
    ];
    const texts = await Promise.all(places.map((place) => place.catch(() => '')));
    if (texts.some((one) => one.includes(text))) found.push(`${pid} ${texts[1]}`);
  }
  return found;
}

test.each([
  ['Ctrl-C in a terminal', ({ run }) => run.type('\u0003')],
  ['SIGTERM to npm', ({ npm }) => process.kill(npm, 'SIGTERM')],
  ['SIGKILL to npm', ({ npm }) => process.kill(npm, 'SIGKILL')],
  ['SIGKILL to Vitest', ({ vitest }) => process.kill(vitest, 'SIGKILL')],
] as [string, (started: Awaited<ReturnType<typeof startRun>>) => void][])(
  'after %s, no process and no folder of npm test is left',
  async (_, interrupt) => {
    const started = await startRun();
    const name = basename(started.folder);
    expect(dirname(started.folder)).toBe(folder);
    const inMemory = join('/dev/shm', basename(tmpdir()), basename(folder), name);
    expect((await findProcesses(name)).length).toBeGreaterThan(5);
    interrupt(started);
    await started.run.exited;
    await expect.poll(() => findProcesses(name), EVENTUALLY).toEqual([]);
    // A killed process stays a zombie until its new parent reads its status.
    expect(await Promise.all(started.pids.map(identifyProcess))).toEqual(
      started.pids.map(() => null),
    );
    await expect.poll(() => readdir(folder), EVENTUALLY).toEqual(['report.json']);
    await expect(stat(inMemory)).rejects.toThrow('ENOENT');
  },
);
