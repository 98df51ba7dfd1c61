import { type InboundList, type ProviderAdapter, createUuidV7 } from '@switchboard/core';
import { createInboundStore } from '@switchboard/database';
import { createProviderRegistry } from '@switchboard/providers';
import { createLogger } from '@switchboard/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { createReadInbound } from '../src/inbound/read-inbound.ts';
import { createWorkerMetrics } from '../src/worker-metrics.ts';
import { HOUR_MS, MINUTE_MS, startInboundEnvironment } from './start-inbound-environment.ts';

/** A reader whose clock advances only with the pages that it reads. */
async function startReader() {
  const environment = await startInboundEnvironment(onTestFinished);
  const account = await environment.addWorkspace();
  const numbers = await Promise.all([1, 2, 3].map(() => environment.connect(HOUR_MS, account)));
  const registry = await createProviderRegistry({
    apiUrls: { twilio: environment.simulator.url },
    callTimeoutMs: 20_000,
  });
  onTestFinished(() => registry.close());
  const [adapter] = registry.adapters as [ProviderAdapter];
  const provider = adapter.inboundList as InboundList;
  const cursors = createInboundStore(environment.database);
  const time = { now: 0, ofPage: 0 };
  const read: string[] = [];
  const inboundList: InboundList = {
    ...provider,
    readPage(of, query) {
      time.now += time.ofPage;
      read.push(query.to);
      return provider.readPage(of, query);
    },
  };
  const readInbound = createReadInbound({
    cursors,
    messages: { findReceived: () => expect.fail('no message was received') },
    receiveInbound: () => expect.fail('no message was received'),
    probeAccount: () => expect.fail('the provider answers'),
    monitor: { record: () => expect.fail('the provider answers') },
    resolveProviderAccount: () => ({
      kind: 'resolved',
      providerId: createUuidV7(Date.now()),
      adapter: { ...adapter, inboundList },
      account: {
        vendorAccountId: account.accountSid,
        secret: `token of ${account.accountSid}`,
        senderPool: null,
      },
    }),
    databaseClock: { now: () => Date.now() },
    clock: { monotonic: () => time.now },
    publicUrl: 'http://127.0.0.1:9',
    turnMs: MINUTE_MS,
    isStopping: () => false,
    metrics: createWorkerMetrics({ poolWaiting: () => 0 }),
    logger: createLogger({ name: 'worker', level: 'silent' }),
  });

  /** Reads the accounts that are due. Returns the numbers that were read. */
  async function takeTurn(): Promise<string[]> {
    read.length = 0;
    for (const turn of await cursors.takeTurns(8, MINUTE_MS)) await readInbound(turn);
    return [...read];
  }

  return { numbers: numbers.map(({ number }) => number).toSorted(), time, takeTurn };
}

test('a turn ends after a minute, and the next one is due immediately and continues with the number that was read least recently', async () => {
  const { numbers, time, takeTurn } = await startReader();
  time.ofPage = MINUTE_MS;
  const turns = [await takeTurn(), await takeTurn(), await takeTurn()];
  expect(turns.map((read) => read.length)).toEqual([1, 1, 1]);
  expect(turns.flat().toSorted()).toEqual(numbers);

  time.ofPage = MINUTE_MS / 3 - 1;
  expect((await takeTurn()).toSorted()).toEqual(numbers);
  expect(await takeTurn()).toEqual([]);
});
