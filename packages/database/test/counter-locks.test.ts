import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Change,
  type StatusCallback,
  createDispatchPolicy,
  createUuidV7,
  applyDecision,
  decideDirectEvidence,
  decideUnknown,
} from '@switchboard/core';
import {
  EVENTUALLY,
  type TestDatabase,
  createTestDatabase,
  openTestDatabase,
} from '@switchboard/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, type MessageStore, createMessageStore } from '../src/index.ts';
import { PLAIN_TEXT } from './plain-text.ts';

const ACCOUNT = 'AC';
const OURS = '+15005550006';

let testDatabase: TestDatabase;
let database: Database;
let store: MessageStore;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Adds a workspace that may send, with an event, so that its counter exists. */
async function addWorkspace(): Promise<string> {
  const id = randomUUID();
  const { pool } = database;
  await pool.query(`INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'Test', now())`, [
    id,
  ]);
  await pool.query(
    `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       secret_last4, is_default, created_at, updated_at)
     VALUES (uuid_v7(now()), $1, 'twilio', $2, 'x', 'x', true, now(), now())`,
    [id, ACCOUNT],
  );
  await pool.query(
    `INSERT INTO phone_numbers (id, workspace_id, number, capabilities, created_at)
     VALUES ($1, $2, $3, '{}', now())`,
    [randomUUID(), id, OURS],
  );
  await accept(id);
  return id;
}

async function accept(workspaceId: string): Promise<string> {
  const createdAt = new Date();
  const id = createUuidV7(createdAt.getTime());
  const { kind } = await store.accept({
    id,
    createdAt,
    workspaceId,
    to: '+12025550100',
    from: OURS,
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
}

function receive(workspaceId: string, from: string, keyword: 'opt_out' | 'opt_in' | 'help' | null) {
  const createdAt = new Date();
  const message = {
    id: createUuidV7(createdAt.getTime()),
    createdAt,
    workspaceId,
    to: OURS,
    from,
    body: keyword ?? 'Hello',
    media: [],
    segments: 1,
    providerId: randomUUID(),
    vendorAccountId: ACCOUNT,
    providerSid: randomUUID(),
    isLate: false,
    requestId: 'r',
    traceParent: null,
  };
  const reply = { id: createUuidV7(createdAt.getTime()), defaultText: 'A reply' };
  const received = keyword && { keyword, isCustom: false, reply };
  return store.receive(message, { ...PLAIN_TEXT, keyword: received });
}

test.each([0, 3])(
  'no statement of a message’s path in slot %i holds the lock of the counter across a round trip',
  async (slot) => {
    database.numbering.value = slot;
    const workspaceId = await addWorkspace();
    // A transaction of one statement commits with it. In any other, COMMIT is a later statement.
    await database.pool.query(`
    CREATE FUNCTION note_statement() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM set_config('test.statement', statement_timestamp()::text, true);
      RETURN NULL;
    END $$;
    CREATE FUNCTION forbid_later_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF statement_timestamp()::text <> current_setting('test.statement') THEN
        RAISE EXCEPTION 'the counter was locked across a round trip';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_statement AFTER INSERT OR UPDATE ON event_counters
      FOR EACH ROW EXECUTE FUNCTION note_statement();
    CREATE CONSTRAINT TRIGGER forbid_later_commit AFTER INSERT OR UPDATE ON event_counters
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION forbid_later_commit()`);

    const id = await accept(workspaceId);
    expect(await store.claim({ messageId: id, workspaceId })).toMatchObject({ id });
    const sid = `SM${'0'.repeat(32)}`;
    const callback: StatusCallback = {
      sid,
      messageId: id,
      vendorAccountId: ACCOUNT,
      status: 'failed',
      rawStatus: 'failed',
      from: null,
      errorCode: '21610',
      errorDetail: null,
      isOptOut: true,
    };
    const policy = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] });
    const applied = await applyDecision(
      store,
      { workspaceId, id },
      (row) =>
        decideDirectEvidence(row, { ...callback, providerId: randomUUID() }, policy, 'callback'),
      policy,
      {},
    );
    expect(applied.kind).toBe('changed');
    const from = '+12025550101';
    for (const keyword of [null, 'help', 'opt_out', 'opt_in'] as const) {
      const received = await receive(workspaceId, from, keyword);
      expect(received).toMatchObject({
        reply: keyword === null ? null : { id: expect.any(String) },
      });
    }

    // Proves that the check can fail.
    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`UPDATE event_counters SET last_seq = last_seq`);
    await expect(client.query('COMMIT')).rejects.toThrow('locked across a round trip');
    await client.end();
  },
);

/** Claims the message, and decides that the lease of its attempt has expired. */
async function claimAndDecide(workspaceId: string, messageId: string): Promise<Change> {
  const claimed = await store.claim({ messageId, workspaceId });
  if (claimed === null) throw new Error(`message ${messageId} was not ready`);
  const policy = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] });
  const { change } = decideUnknown(claimed, claimed.attempt, 'lease expired', policy);
  if (change === null) throw new Error(`message ${messageId} was not in flight`);
  return change;
}

test('a change that PostgreSQL refuses is the only one of its batch that is not written', async () => {
  const [one, other] = [await addWorkspace(), await addWorkspace()];
  const changeOf = async (workspaceId: string) =>
    claimAndDecide(workspaceId, await accept(workspaceId));
  const [refused, mine, theirs] = [await changeOf(one), await changeOf(one), await changeOf(other)];
  refused.next.errorDetail = 'with a NUL: \0';
  const results = await Promise.allSettled([refused, mine, theirs].map(store.apply));
  expect(results).toMatchObject([
    { status: 'rejected', reason: { code: '22021' } },
    { status: 'fulfilled', value: { kind: 'applied' } },
    { status: 'fulfilled', value: { kind: 'applied' } },
  ]);
});

/** One wait may be long on a busy machine, but not most of them. */
function medianOf(waits: readonly number[]): number | undefined {
  return waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)];
}

describe('while rows of one workspace are locked', () => {
  beforeEach(() => {
    database.numbering.value = 3;
  });

  /** Locks them, like a transaction of a suspended process, until `release` is called. */
  async function lock(
    workspaceId: string,
    table: 'event_counters' | 'message_progress',
  ): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`SELECT 1 FROM ${table} WHERE workspace_id = $1 FOR UPDATE`, [workspaceId]);
    return async () => {
      await client.query('ROLLBACK');
      await client.end();
    };
  }

  test.each([
    // A claim takes no number of an event.
    ['claimed', 'message_progress'],
    ['changed', 'event_counters'],
  ] as const)(
    'messages of other workspaces are %s, and those of the blocked workspace are refused as not written',
    async (how, table) => {
      const [blocked, ...others] = await Promise.all(Array.from({ length: 4 }, addWorkspace));
      if (blocked === undefined) throw new Error('there is no workspace');
      /** Prepares the rows for the work during the lock. */
      async function prepare(workspaceId: string): Promise<() => Promise<unknown>> {
        const messageId = await accept(workspaceId);
        if (how === 'claimed') return () => store.claim({ messageId, workspaceId });
        const change = await claimAndDecide(workspaceId, messageId);
        return () => store.apply(change);
      }
      const prepareMany = (workspaceId: string) =>
        Promise.all(Array.from({ length: 30 }, () => prepare(workspaceId)));
      const runOne = async (tasks: (() => Promise<unknown>)[], index: number) => tasks[index]?.();
      const ofBlocked = await prepareMany(blocked);
      const ofOthers = await Promise.all(others.map(prepareMany));
      const release = await lock(blocked, table);
      const refused: Promise<PromiseSettledResult<unknown>[]>[] = [];
      const waits: number[] = [];
      for (let round = 0; round < 30; round += 1) {
        const began = performance.now();
        refused.push(Promise.allSettled([runOne(ofBlocked, round)]));
        await Promise.all(ofOthers.map((tasks) => runOne(tasks, round)));
        waits.push(performance.now() - began);
        await delay(5);
      }
      // The first ones wait together with the blocked workspace for a moment. After that, the
      // blocked workspace, which waits for 2 seconds, is separate.
      expect(medianOf(waits)).toBeLessThan(1_500);
      for (const [result] of await Promise.all(refused)) {
        expect(result).toMatchObject({ status: 'rejected', reason: { code: '55P03' } });
      }
      await release();
      await expect.poll(() => runOne(ofBlocked, 0).then(Boolean), EVENTUALLY).toBe(true);
    },
  );

  test.each<[string, (workspaceId: string) => Promise<unknown>]>([
    ['accepted', (workspaceId: string) => accept(workspaceId)],
    ['received', (workspaceId: string) => receive(workspaceId, '+12025550101', null)],
  ])(
    'messages of other workspaces are %s, and those of the blocked workspace are refused as not stored',
    async (_how, storeOne) => {
      const [blocked, ...others] = await Promise.all(Array.from({ length: 4 }, addWorkspace));
      if (blocked === undefined) throw new Error('there is no workspace');
      const release = await lock(blocked, 'event_counters');
      const refused = Promise.allSettled(Array.from({ length: 20 }, () => storeOne(blocked)));
      const waits: number[] = [];
      for (let round = 0; round < 50; round += 1) {
        const began = performance.now();
        // Messages of the blocked workspace arrive between the others all the time.
        void storeOne(blocked).catch(() => undefined);
        await Promise.all(others.map(storeOne));
        waits.push(performance.now() - began);
        await delay(5);
      }
      // The first ones wait together with the blocked workspace for a moment. After that, the
      // blocked workspace, which waits for 2 seconds, is separate.
      expect(medianOf(waits)).toBeLessThan(1_500);
      for (const result of await refused) {
        expect(result.status).toBe('rejected');
        const { reason } = result as PromiseRejectedResult;
        expect((reason as { code: string }).code).toMatch(/^(service_unavailable|55P03)$/);
      }
      await release();
      await expect.poll(() => storeOne(blocked).then(() => true), EVENTUALLY).toBe(true);
    },
  );
});
