import { startPostgres, startReplica, openTestDatabase } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createMessageEventStore, createStartEventEpoch, migrate } from '../src/index.ts';

function openDatabase(url: string) {
  const database = openTestDatabase(url);
  onTestFinished(() => database.close());
  return database;
}

test('events get a new epoch after a failover and after a restore', async () => {
  const primary = await startPostgres();
  onTestFinished(() => primary.close());
  await migrate({ databaseUrl: primary.url, log: { info: () => undefined } });
  const database = openDatabase(primary.url);
  const readEpoch = async (of: typeof database) =>
    (await createMessageEventStore(of).readCounters([])).epoch;
  expect(await readEpoch(database)).toBe('0000000100000000');

  const replica = await startReplica(primary);
  onTestFinished(() => replica.close());
  await primary.stop();
  await replica.promote();
  const promoted = openDatabase(replica.url);
  expect(await readEpoch(promoted)).toBe('0000000200000000');

  await createStartEventEpoch(promoted)();
  const restored = await readEpoch(promoted);
  expect(restored).toMatch(/^00000002[0-9a-f]{8}$/);
  expect(restored).not.toBe('0000000200000000');
  // A second restore of the same backup needs a new epoch.
  await createStartEventEpoch(promoted)();
  expect(await readEpoch(promoted)).not.toBe(restored);
});
