import { createUuidV7 } from '@switchboard/core';
import { createDatabase, createMessageStore } from '@switchboard/database';
import { createHintProducer } from '@switchboard/queue';
import type { WorkspaceFixture } from '@switchboard/testing';

const BATCH = 500;
const HINT_GRACE_MS = 2_000;
const TIMEOUT_MS = 5_000;

/** Creates a message as the API gives it to its store. */
export function draftMessage(
  { workspaceId, from }: Pick<WorkspaceFixture, 'workspaceId' | 'from'>,
  number: number,
  scheduledAt: Date | null = null,
) {
  const createdAt = new Date();
  const id = createUuidV7(createdAt.getTime());
  return {
    id,
    createdAt,
    workspaceId,
    from,
    to: `+1202${String(number % 10_000_000).padStart(7, '0')}`,
    body: `Your table for two is booked, number ${number}.`,
    media: [],
    segments: 1,
    scheduledAt,
    requestId: id,
    idempotency: null,
  };
}

/**
 * Creates messages of one workspace with their hints, as the API does. It uses the API's store and
 * producer directly, because a hundred thousand requests would take a minute.
 */
export async function queueBacklog(options: {
  databaseUrl: string;
  /** Null: the queue is in PostgreSQL. */
  redisUrl: string | null;
  workspace: WorkspaceFixture;
  count: number;
  /** Default: the messages are due at once. */
  scheduledAt?: Date;
}): Promise<void> {
  const { databaseUrl, redisUrl, workspace, count, scheduledAt } = options;
  // Errors that matter also reject the call. The others are only printed.
  const onError = (error: Error): void => void process.stderr.write(`${String(error)}\n`);
  const connection = { url: databaseUrl, poolSize: 2, applicationName: 'bench', onError };
  const database = createDatabase(connection);
  const store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: HINT_GRACE_MS });
  const hints = createHintProducer({ databaseUrl, redisUrl, timeoutMs: TIMEOUT_MS, onError });
  try {
    await hints.ping();
    // Without this, the worker treats a new Redis as flushed and queues all hints again.
    await hints.checkContinuity();
    for (let done = 0; done < count; done += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - done) }, (_, number) =>
        draftMessage(workspace, done + number, scheduledAt),
      );
      await Promise.all(batch.map((message) => store.accept(message)));
      // A scheduled message has no hint.
      if (scheduledAt !== undefined) continue;
      await hints.enqueue(
        batch.map(({ id, workspaceId, requestId }) => ({ messageId: id, workspaceId, requestId })),
      );
    }
  } finally {
    await hints.close();
    await database.close();
  }
}
