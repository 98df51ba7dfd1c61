import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT_FOLDER } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { READY, startScript } from './child-scripts.ts';

const compiled = (name: string) =>
  JSON.stringify(
    pathToFileURL(join(ROOT_FOLDER, `packages/testing/dist/processes/${name}.js`)).href,
  );

/** Starts a run that has started a process and fails when its first resource is removed. */
function startRun({ limitMs = null as number | null, steps = '' } = {}) {
  const script = `(async () => {
    const { cleanUpOnSignal } = await import(${compiled('clean-up-on-signal')});
    const { startChild } = await import(${compiled('start-child')});
    await cleanUpOnSignal(async (cleanUps) => {
      let fail;
      cleanUps.add(async () => { console.error('removed the first'); fail(new Error('a server is gone')); });
      cleanUps.add(async () => {
        console.error('removed the second');
        // The run must not end before this test knows that it is ready.
        await new Promise((resolve) => process.stdin.once('data', resolve));
        throw new Error('not empty');
      });
      const failed = new Promise((_, reject) => { fail = reject; });
      ${steps}
      await failed;
    }, ${limitMs});
  })();`;
  return startScript(script, { takesInput: true });
}

const START_HUNG_CHILD = `
  const child = await startChild({
    name: 'hung',
    command: process.execPath,
    args: ['--eval', ${JSON.stringify(`process.on('SIGTERM', () => {}); ${READY}`)}],
    env: {},
  });
  process.send({ type: 'ready', url: String(child.pid) });`;

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'a run that receives %s removes what it created, latest first, and kills its processes',
  async (signal, code) => {
    const run = await startRun({ steps: START_HUNG_CHILD });
    run.signal(signal);
    run.type('end\n');
    expect(await run.exited).toEqual({ code, signal: null });
    expect(run.logs).toEqual(['removed the second', 'removed the first']);
    expect(() => process.kill(Number(run.url), 0)).toThrow('ESRCH');
  },
);

test('a run that exceeds its time limit removes what it created and ends with code 1', async () => {
  const run = await startRun({ limitMs: 200, steps: READY });
  run.type('end\n');
  expect(await run.exited).toEqual({ code: 1, signal: null });
  expect(run.logs).toEqual([
    'The run was stopped after 0.2 s.',
    'removed the second',
    'removed the first',
  ]);
});
