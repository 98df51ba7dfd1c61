import { randomUUID } from 'node:crypto';
import { type StatusCallback, createUuidV7, lastIn, positionOf } from '@switchboard/core';
import {
  EVENTUALLY,
  type TestDatabase,
  createTestDatabase,
  openTestDatabase,
} from '@switchboard/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Database,
  createMessageEventStore,
  createMessageStore,
  createProviderStore,
  createUnmatchedCallbackStore,
} from '../src/index.ts';

let testDatabase: TestDatabase;
let database: Database;
let opened: Database[];

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  opened = [];
  database = open();
});
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await testDatabase.drop();
});

/** Uses one connection, so that the test can read its prepared statements. */
function open(): Database {
  const created = openTestDatabase(testDatabase.url, { poolSize: 1 });
  opened.push(created);
  return created;
}

async function addWorkspace(): Promise<string> {
  const id = randomUUID();
  await database.pool.query(
    `INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'Test', now())`,
    [id],
  );
  return id;
}

interface Row {
  id: string;
  workspaceId: string;
  sid: string | null;
}

async function addMessages(workspaceId: string, count: number, sid?: string): Promise<Row[]> {
  const { rows } = await database.pool.query<Row>(
    `WITH added AS (
       INSERT INTO message_records (id, workspace_id, direction, "to", body, segments, status, created_at,
         updated_at, dispatch, vendor_account_id, provider_sid)
       SELECT uuid_v7(now()), $1, 'outbound', '+15551230001', repeat('x', 1000), 7, 'queued', now(),
         now(), 'accepted', 'AC', $3
       FROM generate_series(1, $2) RETURNING *
     ), identified AS (
       INSERT INTO provider_sids (provider_sid, vendor_account_id, workspace_id, message_id, direction)
       SELECT provider_sid, vendor_account_id, workspace_id, id, direction FROM added WHERE provider_sid IS NOT NULL
     )
     SELECT id, workspace_id AS "workspaceId", provider_sid AS sid FROM added`,
    [workspaceId, count, sid ?? null],
  );
  return rows;
}

describe('a statement that finds messages', () => {
  const times = { leaseMs: 60_000, hintGraceMs: 1_000 };

  async function findKept(of: Database): Promise<string[]> {
    const { rows } = await of.pool.query<{ name: string }>(
      `SELECT name FROM pg_prepared_statements WHERE name LIKE 'read_dispatch_rows%' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  test('a statement that finds messages is planned once, and again when its table exceeds the size of the plan', async () => {
    const workspaceId = await addWorkspace();
    const [message] = await addMessages(workspaceId, 60);
    const id = message?.id ?? '';
    const store = createMessageStore(database, times);
    await store.readRow({ workspaceId, id });
    // Waits for the measurement of the table's size on the only connection.
    await database.ping();
    for (let n = 0; n < 3; n += 1) expect((await store.readRow({ workspaceId, id }))?.id).toBe(id);
    expect(await findKept(database)).toEqual(['read_dispatch_rows_0_0']);

    await addMessages(workspaceId, 2_500);
    await vi.waitFor(async () => {
      expect((await store.readRow({ workspaceId, id }))?.id).toBe(id);
      expect(await findKept(database)).toEqual([
        'read_dispatch_rows_0_0',
        'read_dispatch_rows_0_3',
      ]);
    }, EVENTUALLY);
  });
});

describe('prepared statements', () => {
  test('a prepared statement of the message path keeps one plan, even when it is for one message at a time', async () => {
    const workspaceId = await addWorkspace();
    const store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
    const events = createMessageEventStore(database);
    const providers = createProviderStore(database);
    const unmatched = createUnmatchedCallbackStore(database);
    async function sendMessage(): Promise<void> {
      const createdAt = new Date();
      const id = createUuidV7(createdAt.getTime());
      await store.accept({
        id,
        createdAt,
        workspaceId,
        to: '+12025550100',
        from: '+15005550006',
        body: 'x',
        media: [],
        segments: 1,
        scheduledAt: null,
        requestId: 'r',
        idempotency: null,
      });
      expect(await store.claim({ messageId: id, workspaceId })).not.toBeNull();
      expect(await store.readRow({ workspaceId, id })).not.toBeNull();
      const page = await events.read([{ workspaceId, after: positionOf([]) }], 10);
      expect(page.get(workspaceId)?.events).not.toEqual([]);
      expect(await events.readCounters([workspaceId])).toMatchObject({ epoch: '0000000100000000' });
      expect(await providers.find(workspaceId)).toBeNull();
      expect(await unmatched.take('AC', id)).toEqual([]);
    }

    await sendMessage();
    // Waits for the measurement of the tables on the only connection. Statements are prepared after it.
    await database.ping();
    for (let n = 0; n < 8; n += 1) await sendMessage();
    const { rows } = await database.pool.query<{ name: string; custom: number }>(
      'SELECT name, custom_plans::int AS custom FROM pg_prepared_statements ORDER BY name',
    );
    // PostgreSQL makes a plan for the values of each of the first five executions.
    expect(rows).toEqual(
      [
        'accept_messages',
        'claim_messages_0_0',
        'find_providers',
        'read_dispatch_rows_0_0',
        'read_event_counters',
        'read_events_0',
        'take_unmatched_callbacks_0',
      ].map((name) => ({ name, custom: 5 })),
    );
  });
});

describe('opt-outs', () => {
  test('opt-outs are looked up one by one when messages are accepted and claimed', async () => {
    const workspaceId = await addWorkspace();
    await database.pool.query(
      `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
         secret_last4, is_default, created_at, updated_at)
       VALUES (uuid_v7(now()), $1, 'twilio', 'AC', 'x', 'x', true, now(), now())`,
      [workspaceId],
    );
    await database.pool.query(
      `INSERT INTO phone_numbers (id, workspace_id, number, capabilities, created_at)
       VALUES ($1, $2, '+15005550006', '{}', now())`,
      [randomUUID(), workspaceId],
    );
    const store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
    async function countReads(): Promise<unknown> {
      const { rows } = await database.pool.query(
        `SELECT relname, seq_scan FROM pg_stat_user_tables
         WHERE relname IN ('opt_outs', 'phone_numbers') ORDER BY 1`,
      );
      return rows;
    }
    async function sendMessage(n: number): Promise<void> {
      const ids = await Promise.all(
        Array.from({ length: n }, async () => {
          const createdAt = new Date();
          const id = createUuidV7(createdAt.getTime());
          const { kind } = await store.accept({
            id,
            createdAt,
            workspaceId,
            to: '+12025550100',
            from: '+15005550006',
            body: 'x',
            media: [],
            segments: 1,
            scheduledAt: null,
            requestId: 'r',
            isHeldToRules: true,
            idempotency: null,
          });
          expect(kind).toBe('stored');
          return id;
        }),
      );
      const claimed = await Promise.all(
        ids.map((messageId) => store.claim({ messageId, workspaceId })),
      );
      expect(claimed.map((message) => message?.isSuppressed)).toEqual(ids.map(() => false));
      await database.pool.query('SELECT pg_stat_force_next_flush()');
    }

    await sendMessage(1);
    const before = await countReads();
    for (let n = 0; n < 10; n += 1) await sendMessage(30);
    expect(await countReads()).toEqual(before);
  });
});

describe('unmatched callbacks', () => {
  const callback = (sid: string, rawStatus: string): StatusCallback => ({
    messageId: null,
    sid,
    vendorAccountId: 'AC',
    status: 'sent',
    rawStatus,
    from: null,
    errorCode: null,
    errorDetail: null,
    isOptOut: false,
  });

  test('concurrent readers of unmatched callbacks each receive their own, in order', async () => {
    const [ours, theirs] = [await addWorkspace(), await addWorkspace()];
    const unmatched = createUnmatchedCallbackStore(database);
    for (const sid of ['one', 'two', 'none']) await addMessages(ours, 1, sid);
    await unmatched.keep({ workspaceId: ours, providerId: randomUUID() }, callback('one', 'first'));
    await unmatched.keep({ workspaceId: ours, providerId: randomUUID() }, callback('two', 'only'));
    await unmatched.keep(
      { workspaceId: ours, providerId: randomUUID() },
      callback('one', 'second'),
    );
    await unmatched.keep(
      { workspaceId: theirs, providerId: randomUUID() },
      callback('two', 'of another workspace'),
    );
    await unmatched.keep(
      { workspaceId: ours, providerId: randomUUID() },
      callback('three', 'of no message'),
    );

    const sids = ['one', 'none', 'two', 'one', 'three'];
    const taken = await Promise.all(sids.map((sid) => unmatched.take('AC', sid)));
    expect(taken.map((callbacks) => callbacks.map(({ rawStatus }) => rawStatus))).toEqual([
      ['first', 'second'],
      [],
      ['only'],
      [],
      [],
    ]);
    expect(await unmatched.take('AC', 'one')).toEqual([]);
  });
});

describe('a page of events', () => {
  test('a page of events contains only visible events, and its end position includes the hidden ones', async () => {
    const workspaceId = await addWorkspace();
    const [message] = await addMessages(workspaceId, 1);
    const isVisible = [false, true, false, false, true, false, false];
    await database.pool.query(
      `INSERT INTO message_events (workspace_id, seq, message_id, message_version, type, at, visible, status)
       SELECT $1, n, $2, n, 'status_changed', now(), visible, 'sent'
       FROM unnest($3::bool[]) WITH ORDINALITY AS v(visible, n)`,
      [workspaceId, message?.id, isVisible],
    );
    await database.pool.query('INSERT INTO event_counters VALUES ($1, 0, 7)', [workspaceId]);
    const events = createMessageEventStore(database);
    const read = async (after: number, limit: number) => {
      const feed = { workspaceId, after: positionOf([after]) };
      const page = (await events.read([feed], limit)).get(workspaceId);
      return page && [lastIn(page.position, 0), page.isLast, page.events.map(({ seq }) => seq)];
    };
    expect(await read(0, 100)).toEqual([7, true, [2, 5]]);
    expect(await read(2, 2)).toEqual([4, false, []]);
    expect(await read(4, 1)).toEqual([5, false, [5]]);
    expect(await read(5, 100)).toEqual([7, true, []]);
    expect(await read(7, 100)).toBeUndefined();
  });
});
