import { startSimulator } from '@switchboard/testing';
import { expect, test } from 'vitest';

test('startApp runs the built program on a free port, and stop ends it', async () => {
  const [one, other] = await Promise.all([startSimulator(), startSimulator()]);
  expect(one.url).not.toBe(other.url);
  const ledger = await fetch(`${one.url}/simulator/ledger`, { headers: { connection: 'close' } });
  expect(ledger.status).toBe(200);
  await Promise.all([one.stop(), other.stop()]);
  await expect(fetch(one.url)).rejects.toThrow('fetch failed');
});

test('startApp throws an error with the output of an app that refuses its settings', async () => {
  await expect(startSimulator({ SIMULATOR_PORT: 'none' })).rejects.toThrow(
    /^simulator ended before it was ready, with code 1\..*SIMULATOR_PORT must be a port/s,
  );
});
