import { randomInt, randomUUID } from 'node:crypto';
import { type Keyword, type Received, createReceiveInbound } from '@switchboard/core';
import {
  type Database,
  OPERATOR,
  createDatabase,
  createMessageStore,
  createOptOutStore,
  createProviderStore,
} from '@switchboard/database';
import { EVENTUALLY, type TestDatabase, createTestDatabase } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ACCOUNT = 'AC1';
const MINUTE_MS = 60_000;

let server: TestDatabase;
let database: Database;
const replies: string[] = [];
beforeAll(async () => {
  server = await createTestDatabase();
  database = createDatabase({
    url: server.url,
    poolSize: 4,
    applicationName: 'test',
    onError: () => undefined,
  });
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const WORDS: Record<Keyword, string> = { opt_out: 'STOP', opt_in: 'START', help: 'HELP' };

async function startWorkspace() {
  const workspaceId = randomUUID();
  const at = new Date();
  await database.prisma.workspace.create({
    data: { id: workspaceId, name: 'Test', createdAt: at },
  });
  await createProviderStore(database).put({
    workspaceId,
    type: 'twilio',
    account: ACCOUNT,
    sealedSecret: 'sealed',
    secretLast4: '',
    senderPool: null,
    onUnknown: 'resend',
    at,
  });
  const from = `+1555${randomInt(1_000_000, 9_999_999)}`;
  const store = createMessageStore(database, { leaseMs: 1_000, hintGraceMs: 1_000 });
  const results: (Received | null)[] = [];
  const receiveInbound = createReceiveInbound({
    async store(message, keyword) {
      const received = await store.receive(message, keyword);
      results.push(received);
      return received;
    },
    publishLater: () => undefined,
    hintLater: ({ messageId }) => void replies.push(messageId),
  });

  /** `agoMs` is null for a webhook that arrives now; otherwise the age in the provider's list. */
  function receive(keyword: Keyword | null, agoMs: number | null, sid: string = randomUUID()) {
    const now = Date.now();
    return receiveInbound(
      {
        sid,
        account: ACCOUNT,
        to: '+15550000001',
        from,
        body: keyword === null ? 'Hello' : WORDS[keyword],
        media: [],
        segments: 1,
        providerKeyword: null,
      },
      {
        workspaceId,
        now,
        listedAt: agoMs === null ? null : now - agoMs,
        requestId: 'r',
        traceParent: null,
        log: { info: () => undefined },
      },
    );
  }
  const isOptedOut = async () =>
    (await database.prisma.optOut.count({ where: { workspaceId, number: from } })) > 0;
  const optOuts = createOptOutStore(database);
  const remove = () => optOuts.remove(workspaceId, from, OPERATOR);
  return { workspaceId, from, receive, isOptedOut, remove, results };
}

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
    // The webhook of the START may have been in transit for as long.
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

  test('messages that are found newest first give the same result', async () => {
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

test('a message that its webhook and the list bring at the same time is stored once', async () => {
  const { workspaceId, receive } = await startWorkspace();
  for (let round = 0; round < 20; round += 1) {
    const sid = randomUUID();
    const keyword = round % 2 === 0 ? 'opt_out' : null;
    const both = [receive(keyword, null, sid), receive(keyword, 40_000, sid)];
    const ids = await Promise.all(both);
    expect(ids.filter((id) => id !== null)).toHaveLength(1);
  }
  expect(await database.prisma.message.count({ where: { workspaceId } })).toBe(20);
  expect(await database.prisma.messageEvent.count({ where: { workspaceId } })).toBe(20);
});

test('a late START that waits for a STOP of the same moment does not undo it', async () => {
  const { workspaceId, receive, isOptedOut } = await startWorkspace();
  await receive('opt_out', 10 * MINUTE_MS);
  const stop = await database.pool.connect();
  try {
    await stop.query('BEGIN');
    await stop.query('SELECT 1 FROM event_counters WHERE workspace_id = $1 FOR UPDATE', [
      workspaceId,
    ]);
    const started = receive('opt_in', 5 * MINUTE_MS);
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect
      .poll(async () => (await database.pool.query(waiting)).rowCount, EVENTUALLY)
      .toBeGreaterThan(0);
    await stop.query('UPDATE opt_outs SET latest_at = now() WHERE workspace_id = $1', [
      workspaceId,
    ]);
    await stop.query('COMMIT');
    await started;
  } finally {
    stop.release();
  }
  expect(await isOptedOut()).toBe(true);
});
