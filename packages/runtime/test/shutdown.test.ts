import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

// Signals, exit codes and IPC need real processes. Their code is bundled into a folder from which the
// packages' dependencies can be resolved.
const here = import.meta.dirname;
let folder: string;
const started = new Set<ChildProcess>();

beforeAll(async () => {
  const cache = path.join(here, '../node_modules/.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(path.join(cache, 'shutdown-'));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@switchboard/source', 'node'] },
    ssr: { noExternal: [/^@switchboard\//], resolve: { conditions: ['@switchboard/source'] } },
    build: {
      ssr: true,
      outDir: folder,
      rolldownOptions: {
        input: [
          path.join(here, 'fixtures/process.ts'),
          path.join(here, 'fixtures/wrong-settings.ts'),
        ],
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

type Phase = { name: string; timeoutMs: number; does: 'completes' | 'hangs' | 'fails' };

function watch(child: ChildProcess) {
  started.add(child);
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
    for (const check of waiting) check();
  });
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  // Not `close`, which is never emitted after a `disconnect`.
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const outputs = [child.stdout, child.stderr].map(async (stream) => {
    if (stream !== null) await once(stream, 'end');
  });
  return {
    child,
    lines: () =>
      stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line),
    stderr: () => stderr,
    exited: () => Promise.all(outputs).then(() => exit),
    async waitForLine(msg: string): Promise<void> {
      await new Promise<void>((resolve) => {
        const check = () => {
          if (stdout.includes(`"msg":"${msg}"`)) resolve();
        };
        waiting.add(check);
        check();
      });
    },
  };
}
type Line = { msg: string; level: string; phase?: string; duration_ms?: number; reason?: string };

function start(phases: Phase[], fatal?: string) {
  const argument = JSON.stringify({ phases, fatal });
  return watch(
    spawn(process.execPath, [path.join(folder, 'process.mjs'), argument], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s runs the phases in order and exits with 0',
  async (signal) => {
    const run = start([
      { name: 'stop listening', timeoutMs: 1000, does: 'completes' },
      { name: 'close the database', timeoutMs: 1000, does: 'completes' },
    ]);
    await run.waitForLine('listening');
    run.child.kill(signal);
    expect(await run.exited()).toBe(0);
    expect(run.lines().filter((line) => line.msg === 'shutdown phase completed')).toEqual([
      expect.objectContaining({ phase: 'stop listening', duration_ms: expect.any(Number) }),
      expect.objectContaining({ phase: 'close the database', duration_ms: expect.any(Number) }),
    ]);
  },
);

test('a phase that hangs or fails is logged, the other phases run, and the exit code is 1', async () => {
  const run = start([
    { name: 'hanging', timeoutMs: 100, does: 'hangs' },
    { name: 'failing', timeoutMs: 1000, does: 'fails' },
    { name: 'last', timeoutMs: 1000, does: 'completes' },
  ]);
  await run.waitForLine('listening');
  run.child.kill('SIGTERM');
  expect(await run.exited()).toBe(1);
  expect(run.lines().flatMap((line) => (line.phase ? [[line.msg, line.phase]] : []))).toEqual([
    ['shutdown phase timed out', 'hanging'],
    ['shutdown phase failed', 'failing'],
    ['shutdown phase completed', 'last'],
  ]);
});

test('a second signal ends the process immediately', async () => {
  const run = start([{ name: 'hanging', timeoutMs: 60_000, does: 'hangs' }]);
  await run.waitForLine('listening');
  run.child.kill('SIGTERM');
  await run.waitForLine('shutting down');
  run.child.kill('SIGINT');
  expect(await run.exited()).toBe(1);
});

test.each([
  ['exception', 'thrown'],
  ['rejection', 'rejected'],
])(
  'an uncaught %s is logged as fatal, the phases run, and the exit code is 1',
  async (kind, text) => {
    const run = start([{ name: 'closing', timeoutMs: 1000, does: 'completes' }], kind);
    expect(await run.exited()).toBe(1);
    expect(run.lines()).toContainEqual(
      expect.objectContaining({ level: 'fatal', err: expect.objectContaining({ message: text }) }),
    );
    expect(run.lines().map((line) => line.phase)).toContain('closing');
  },
);

test('a process that was started with IPC reports when it is ready, and ends after its parent', async () => {
  const child = fork(
    path.join(folder, 'process.mjs'),
    [JSON.stringify({ phases: [{ name: 'closing', timeoutMs: 1000, does: 'completes' }] })],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] },
  );
  const run = watch(child);
  const [message] = await once(child, 'message');
  expect(message).toEqual({ type: 'ready', url: 'http://127.0.0.1:1' });
  child.disconnect();
  expect(await run.exited()).toBe(0);
  expect(run.lines().map((line) => line.reason)).toContain('parent process ended');
});

test('invalid settings are reported in plain text, and the exit code is 1', async () => {
  const run = watch(
    spawn(process.execPath, [path.join(folder, 'wrong-settings.mjs')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  expect(await run.exited()).toBe(1);
  expect(run.stderr()).toBe(
    'The settings are not usable:\n  SIMULATOR_PORT: must be a whole number from 0 to 65535\n',
  );
});
