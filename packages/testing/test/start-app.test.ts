import { startSimulator } from '@switchboard/testing';
import { expect, test } from 'vitest';

test('an app runs as it is built, on a port of its own, and stops when asked', async () => {
  const [one, other] = await Promise.all([startSimulator(), startSimulator()]);
  expect(one.url).not.toBe(other.url);
  const ledger = await fetch(`${one.url}/simulator/ledger`, { headers: { connection: 'close' } });
  expect(ledger.status).toBe(200);
  await Promise.all([one.stop(), other.stop()]);
  await expect(fetch(one.url)).rejects.toThrow('fetch failed');
});

test('an app that refuses its settings is an error that quotes what it says', async () => {
  await expect(startSimulator({ SIMULATOR_PORT: 'none' })).rejects.toThrow(
    /^simulator ended before it was ready, with code 1\..*SIMULATOR_PORT must be a port/s,
  );
});
