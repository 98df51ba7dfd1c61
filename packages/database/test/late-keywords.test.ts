import { randomUUID } from 'node:crypto';
import type { Database } from '@switchboard/database';
import { type TestDatabase, createTestDatabase, openTestDatabase } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS, startKeywordWorkspace } from './start-keyword-workspace.ts';
import { waitForLock } from './wait-for-lock.ts';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  database = openTestDatabase(server.url);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const startWorkspace = () => startKeywordWorkspace(database);

describe('a START that is found late', () => {
  test('a late START does not undo an opt-out that a user added again after the START was sent', async () => {
    const { receive, isOptedOut, add } = await startWorkspace();
    await receive('opt_out', 30 * MINUTE_MS);
    expect(await add()).toBe('exists');
    await receive('opt_in', 10 * MINUTE_MS);
    expect(await isOptedOut()).toBe(true);
  });

  test('a late START does not undo an opt-out that the provider reported again after the START was sent, twice in one batch', async () => {
    const { receive, isOptedOut, refuseSends } = await startWorkspace();
    await receive('opt_out', 30 * MINUTE_MS);
    await refuseSends(2);
    await receive('opt_in', 10 * MINUTE_MS);
    expect(await isOptedOut()).toBe(true);
  });
});

describe('a STOP or START that is found late', () => {
  test('a late STOP does not undo a START that was received after it', async () => {
    const { receive, isOptedOut } = await startWorkspace();
    await receive('opt_in', null);
    await receive('opt_out', 10 * MINUTE_MS);
    expect(await isOptedOut()).toBe(false);
  });

  test('a late STOP opts out if the START came before it, or may have come before it', async () => {
    const before = await startWorkspace();
    await before.receive('opt_in', 20 * MINUTE_MS);
    await before.receive('opt_out', 10 * MINUTE_MS);
    expect(await before.isOptedOut()).toBe(true);
    // The webhook of the START may have been in transit for that long.
    const doubtful = await startWorkspace();
    await doubtful.receive('opt_in', null);
    await doubtful.receive('opt_out', 20_000);
    expect(await doubtful.isOptedOut()).toBe(true);
    const sameSecond = await startWorkspace();
    await sameSecond.receive('opt_in', 10 * MINUTE_MS);
    await sameSecond.receive('opt_out', 10 * MINUTE_MS);
    expect(await sameSecond.isOptedOut()).toBe(true);
  });

  test('a late STOP does not undo a removal by a user that came after it', async () => {
    const { receive, isOptedOut, remove } = await startWorkspace();
    await receive('opt_out', null);
    await remove();
    await receive('opt_out', 10 * MINUTE_MS);
    expect(await isOptedOut()).toBe(false);
    await receive('opt_out', null);
    expect(await isOptedOut()).toBe(true);
  });

  test('a late START does not undo a STOP that was received after it', async () => {
    const { receive, isOptedOut } = await startWorkspace();
    await receive('opt_out', null);
    await receive('opt_in', 10 * MINUTE_MS);
    expect(await isOptedOut()).toBe(true);
  });

  test('a late START removes the opt-out of an earlier STOP, unless another STOP followed the START', async () => {
    const { receive, isOptedOut } = await startWorkspace();
    await receive('opt_out', 30 * MINUTE_MS);
    await receive('opt_in', 20 * MINUTE_MS);
    expect(await isOptedOut()).toBe(false);
    const again = await startWorkspace();
    await again.receive('opt_out', 30 * MINUTE_MS);
    await again.receive('opt_out', 10 * MINUTE_MS);
    await again.receive('opt_in', 20 * MINUTE_MS);
    expect(await again.isOptedOut()).toBe(true);
  });

  test('late keywords have the same effect if their messages are found newest first', async () => {
    const started = await startWorkspace();
    await started.receive('opt_in', 10 * MINUTE_MS);
    await started.receive('opt_out', 20 * MINUTE_MS);
    expect(await started.isOptedOut()).toBe(false);
    const stopped = await startWorkspace();
    await stopped.receive('opt_out', 10 * MINUTE_MS);
    await stopped.receive('opt_in', 20 * MINUTE_MS);
    expect(await stopped.isOptedOut()).toBe(true);
  });
});

test('a message that arrives by its webhook and in the list at the same time is stored once', async () => {
  const { workspaceId, receive } = await startWorkspace();
  for (let round = 0; round < 20; round += 1) {
    const sid = randomUUID();
    const keyword = round % 2 === 0 ? 'opt_out' : null;
    const both = [receive(keyword, null, sid), receive(keyword, 40_000, sid)];
    const ids = await Promise.all(both);
    expect(ids.filter((id) => id !== null)).toHaveLength(1);
  }
  expect(await database.prisma.messageRecord.count({ where: { workspaceId } })).toBe(20);
  expect(await database.prisma.messageEvent.count({ where: { workspaceId } })).toBe(20);
});

test.each([0, 2])(
  'a late START in slot %i that waits for a STOP of the same moment does not undo it',
  async (slot) => {
    const { workspaceId, receive, isOptedOut } = await startWorkspace();
    await receive('opt_out', 10 * MINUTE_MS);
    database.numbering.value = slot;
    onTestFinished(() => {
      database.numbering.value = 0;
    });
    const stop = await database.pool.connect();
    try {
      await stop.query('BEGIN');
      await stop.query(
        'SELECT 1 FROM event_counters WHERE workspace_id = $1 AND slot = 0 FOR UPDATE',
        [workspaceId],
      );
      const started = receive('opt_in', 5 * MINUTE_MS);
      await waitForLock(database);
      await stop.query('UPDATE opt_outs SET latest_at = now() WHERE workspace_id = $1', [
        workspaceId,
      ]);
      await stop.query('COMMIT');
      await started;
    } finally {
      stop.release();
    }
    expect(await isOptedOut()).toBe(true);
  },
);
