import {
  type TransitionResult,
  createDispatchPolicy,
  createTransition,
  createUuidV7,
} from '@switchboard/core';
import {
  createCloseWorkspace,
  createClosingStore,
  createMessageStore,
  createUnmatchedCallbackStore,
} from '@switchboard/database';
import { createLogger } from '@switchboard/runtime';
import { createTestDatabase, createWorkspaceFixture, openTestDatabase } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createCloseWorkspaces } from '../src/close/close-workspaces.ts';
import { createTryTransition } from '../src/try-transition.ts';

const NAME = 'Closing';

/** Closes a workspace with one queued message. */
async function startClosing() {
  const server = await createTestDatabase();
  const database = openTestDatabase(server.url);
  onTestFinished(async () => {
    await database.close();
    await server.drop();
  });
  const { workspaceId, userId } = await createWorkspaceFixture(server.url);
  const query = async (text: string, values: unknown[] = [workspaceId]) =>
    (await database.pool.query<Record<string, unknown>>(text, values)).rows;
  await query('UPDATE workspaces SET name = $2 WHERE id = $1', [workspaceId, NAME]);
  const messages = createMessageStore(database, { leaseMs: 1_000, hintGraceMs: 1_000 });
  const createdAt = new Date();
  await messages.accept({
    id: createUuidV7(createdAt.getTime()),
    createdAt,
    workspaceId,
    to: '+15550001111',
    from: '+15005550006',
    body: 'Hello',
    media: [],
    segments: 1,
    scheduledAt: null,
    requestId: 'r',
    idempotency: null,
  });
  await createCloseWorkspace(database)(workspaceId, NAME, { kind: 'user', userId, ip: null });

  const { transition } = createTransition({
    store: messages,
    unmatchedCallbacks: createUnmatchedCallbackStore(database),
    publishLater: () => undefined,
    policy: createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] }),
    metrics: {
      duplicates: { inc: () => undefined },
      unmatchedMerged: { inc: () => undefined },
      failedWrites: { inc: () => undefined },
    },
  });
  const logged: Record<string, unknown>[] = [];
  const logger = createLogger({
    name: 'worker',
    level: 'warn',
    destination: {
      write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>),
    },
  });
  const results: TransitionResult['kind'][] = [];
  let fails = false;
  const tryTransition = createTryTransition((...call) => {
    if (fails) throw new Error('the change could not be written');
    return transition(...call);
  });
  const closeWorkspaces = createCloseWorkspaces({
    store: createClosingStore(database),
    async transition(...call) {
      const result = await tryTransition(...call);
      if (result !== null) results.push(result.kind);
      return result;
    },
    publishLater: () => undefined,
    logger,
  });
  return {
    workspaceId,
    query,
    results,
    logged,
    failWrites: (to: boolean) => (fails = to),
    async closeStep() {
      await query('UPDATE workspaces SET next_step_at = now() WHERE id = $1');
      await closeWorkspaces(60_000);
    },
  };
}

test('a message whose cancellation could not be written stays until it is canceled', async () => {
  const closing = await startClosing();
  closing.failWrites(true);
  await closing.closeStep();
  expect(closing.results).toEqual([]);
  const stays = 'SELECT dispatch FROM message_progress WHERE workspace_id = $1';
  expect(await closing.query(stays)).toEqual([{ dispatch: 'ready' }]);
  closing.failWrites(false);
  await closing.closeStep();
  expect(closing.results).toEqual(['changed']);
  expect(await closing.query('SELECT 1 FROM workspaces WHERE id = $1')).toEqual([]);
});

test('a closing that makes no progress is tried again later each time, and is logged as a warning', async () => {
  const closing = await startClosing();
  // The storage does not delete the file.
  await closing.query(
    `INSERT INTO media_files (id, workspace_id, name, size, created_at, check_at)
     VALUES (uuid_v7(now()), $1, 'photo.png', 1, now(), now())`,
  );
  const warnings = () => closing.logged.filter(({ level }) => level === 'warn');
  const pauses: number[] = [];
  while (warnings().length === 0 && pauses.length < 10) {
    await closing.closeStep();
    const [row] = await closing.query(
      'SELECT extract(epoch FROM next_step_at - now())::float AS pause FROM workspaces WHERE id = $1',
    );
    pauses.push(Number(row?.['pause']));
  }
  // Time passes between a step and its look at the pause.
  expect(pauses).toHaveLength(6);
  expect(pauses.every((pause, index) => pause <= Math.min(2 * 2 ** index, 60))).toBe(true);
  expect(warnings()).toMatchObject([
    { msg: 'closed workspace cannot be deleted yet', workspace_id: closing.workspaceId },
  ]);
  await closing.query('DELETE FROM media_files WHERE workspace_id = $1');
  await closing.closeStep();
  expect(await closing.query('SELECT 1 FROM workspaces WHERE id = $1')).toEqual([]);
});
