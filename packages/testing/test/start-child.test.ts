import { expect, test } from 'vitest';
import { READY, startScript } from './child-scripts.ts';

test('a child is ready when it says so, with its address and its log lines', async () => {
  const child = await startScript(`console.log('one'); console.error('two');
    process.on('SIGTERM', () => { console.log('bye'); process.exit(0); }); ${READY}`);
  expect(child.url).toBe('http://script');
  await child.stop();
  expect(child.logs.toSorted()).toEqual(['bye', 'one', 'two']);
});

test('a child that never gets ready is ended, and the error quotes its last line', async () => {
  const start = startScript("console.log('still trying'); setInterval(() => {}, 1e3);", {
    readyTimeoutMs: 400,
  });
  await expect(start).rejects.toThrow(/script was not ready within 400 ms.*still trying/s);
});

test('a child that ends before it is ready is an error at once', async () => {
  const start = startScript("console.error('no such luck'); process.exit(3);");
  await expect(start).rejects.toThrow(/ended before it was ready, with code 3.*no such luck/s);
});

test('a stop that ends in another code than 0, or in no end at all, is an error', async () => {
  const failing = await startScript(`process.on('SIGTERM', () => process.exit(7)); ${READY}`);
  await expect(failing.stop()).rejects.toThrow('stopped with code 7');
  const deaf = await startScript(`process.on('SIGTERM', () => {}); ${READY}`);
  await expect(deaf.stop()).rejects.toThrow('did not stop within 500 ms');
  expect(await deaf.exited).toEqual({ code: null, signal: 'SIGKILL' });
});
