import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, createMessageStore } from '@switchboard/database';
import { createEventBus } from '@switchboard/events';
import { draftMessage } from '../environment/backlog.ts';
import { readPlan } from './program.ts';

/** Stores events and publishes them on the bus, like the other processes of a service. */
const { databaseUrl, redisUrl, workspaceIds, perSecond, seconds } = readPlan() as {
  databaseUrl: string;
  redisUrl: string;
  workspaceIds: string[];
  perSecond: number;
  seconds: number;
};
const TICK_MS = 20;
const FROM = '+15005550006';

function onError(error: Error): void {
  throw error;
}
const connection = { url: databaseUrl, poolSize: 4, applicationName: 'bench-writer', onError };
const database = createDatabase(connection);
const messages = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 600_000 });
const bus = createEventBus({ redisUrl, databaseUrl, timeoutMs: 5_000, onError });

async function writeEvent(number: number): Promise<void> {
  const workspaceId = workspaceIds[number % workspaceIds.length] ?? '';
  const message = draftMessage({ workspaceId, from: FROM }, number);
  const stored = await messages.accept(message);
  if (stored.kind !== 'stored') throw new Error(`event ${number} was not stored`);
  await bus.publish([{ kind: 'message', workspaceId, messageId: message.id, seq: stored.seq }]);
}

const startedAt = performance.now();
const inFlight: Promise<void>[] = [];
for (let passed = 0; passed < seconds; await delay(TICK_MS)) {
  passed = Math.min((performance.now() - startedAt) / 1_000, seconds);
  while (inFlight.length < passed * perSecond) inFlight.push(writeEvent(inFlight.length));
}
await Promise.all(inFlight);
const tookSeconds = (performance.now() - startedAt) / 1_000;
await bus.close();
await database.close();
process.send?.({ written: inFlight.length, tookSeconds });
