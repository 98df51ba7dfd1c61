import { setTimeout as delay } from 'node:timers/promises';
import { createUuidV7 } from '@switchboard/core';
import { createDatabase, createMessageStore } from '@switchboard/database';
import { createEventBus } from '@switchboard/events';

/** Stores events and publishes them on the bus, like the other processes of a service. */
const [databaseUrl = '', redisUrl = '', ids = '[]', rate = '0', seconds = '0'] =
  process.argv.slice(2);
const TICK_MS = 20;

const workspaceIds = JSON.parse(ids) as string[];
function fail(error: Error): void {
  throw error;
}
const database = createDatabase({
  url: databaseUrl,
  poolSize: 4,
  applicationName: 'bench-writer',
  onError: fail,
});
const messages = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 600_000 });
const bus = createEventBus({ redisUrl, databaseUrl, timeoutMs: 5_000, onError: fail });

async function writeEvent(number: number): Promise<void> {
  const now = Date.now();
  const workspaceId = workspaceIds[number % workspaceIds.length] ?? '';
  const id = createUuidV7(now);
  const stored = await messages.accept({
    id,
    createdAt: new Date(now),
    workspaceId,
    to: '+12025550123',
    from: '+15005550006',
    body: `Your table for two is booked, number ${number}.`,
    media: [],
    segments: 1,
    scheduledAt: null,
    requestId: `bench-${number}`,
    idempotency: null,
  });
  if (stored.kind !== 'stored') throw new Error(`event ${number} was not stored`);
  await bus.publish([{ kind: 'message', workspaceId, messageId: id, seq: stored.seq }]);
}

const startedAt = performance.now();
const inFlight: Promise<void>[] = [];
for (;;) {
  const passed = Math.min(performance.now() - startedAt, Number(seconds) * 1_000);
  while (inFlight.length < (passed / 1_000) * Number(rate))
    inFlight.push(writeEvent(inFlight.length));
  if (passed === Number(seconds) * 1_000) break;
  await delay(TICK_MS);
}
await Promise.all(inFlight);
const tookSeconds = (performance.now() - startedAt) / 1_000;
await bus.close();
await database.close();
process.send?.({ written: inFlight.length, tookSeconds });
process.disconnect();
