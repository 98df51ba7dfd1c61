import { startChild } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { READY, startScript } from './child-scripts.ts';

test('startChild resolves with the URL and the log lines when the child reports that it is ready', async () => {
  const child = await startScript(`console.log('one'); console.error('two');
    process.on('SIGTERM', () => { console.log('bye'); process.exit(0); }); ${READY}`);
  expect(child.url).toBe('http://script');
  await child.stop();
  expect(child.logs.toSorted()).toEqual(['bye', 'one', 'two']);
});

test('startChild kills a child that does not become ready and throws an error with its last line', async () => {
  // A shell prints its line sooner than Node, which takes seconds to start on a busy machine.
  const start = startChild({
    name: 'script',
    command: '/bin/sh',
    args: ['-c', 'echo still trying; exec sleep 600'],
    env: { PATH: '/usr/bin:/bin' },
    isReady: () => false,
    readyTimeoutMs: 10_000,
  });
  await expect(start).rejects.toThrow(/script was not ready within 10000 ms.*still trying/s);
});

test('startChild throws immediately when the child exits before it is ready', async () => {
  const start = startScript("console.error('no such luck'); process.exit(3);");
  await expect(start).rejects.toThrow(/ended before it was ready, with code 3.*no such luck/s);
});

test('stopping a child throws an error if the child exits with a code other than 0 or does not exit', async () => {
  const failing = await startScript(`process.on('SIGTERM', () => process.exit(7)); ${READY}`);
  await expect(failing.stop()).rejects.toThrow('stopped with code 7');
  const deaf = await startScript(`process.on('SIGTERM', () => {}); ${READY}`, {
    stopTimeoutMs: 500,
  });
  await expect(deaf.stop()).rejects.toThrow('did not stop within 500 ms');
  expect(await deaf.exited).toEqual({ code: null, signal: 'SIGKILL' });
});
