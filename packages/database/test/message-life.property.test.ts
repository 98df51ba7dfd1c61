import { randomUUID } from 'node:crypto';
import { type Change, type DispatchRow, createUuidV7 } from '@switchboard/core';
import { type TestDatabase, createTestDatabase, openTestDatabase } from '@switchboard/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, type MessageStore, createMessageStore } from '../src/index.ts';

const ACCOUNT = 'AC';
let testDatabase: TestDatabase;
let database: Database;
let store: MessageStore;
let workspaceId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  store = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  workspaceId = randomUUID();
  await database.pool.query(
    `WITH added AS (INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'Test', now()))
     INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       verified_credentials, secret_last4, is_default, created_at, updated_at)
     VALUES (uuid_v7(now()), $1, 'twilio', $2, 'sealed', 'sealed', 'x', true, now(), now())`,
    [workspaceId, ACCOUNT],
  );
});

async function accept(isScheduled = false): Promise<string> {
  const id = createUuidV7(Date.now());
  const result = await store.accept({
    id,
    createdAt: new Date(),
    workspaceId,
    to: '+15551230001',
    from: '+15005550006',
    body: 'Hello',
    media: [],
    segments: 1,
    scheduledAt: isScheduled ? new Date(Date.now() - 1_000) : null,
    requestId: 'r1',
    idempotency: null,
  });
  expect(result.kind).toBe('stored');
  return id;
}

async function read(id: string): Promise<DispatchRow> {
  const row = await store.readRow({ workspaceId, id });
  if (row === null) throw new Error('The message does not exist.');
  return row;
}

function changeOf(
  row: DispatchRow,
  next: Partial<Change['next']>,
  dueInMs: number | null,
  isVisible = true,
): Change {
  return {
    id: row.id,
    workspaceId,
    expectedVersion: row.version,
    wasInProgress: row.isInProgress,
    next: { ...row, vendorAccountId: ACCOUNT, ...next },
    notBeforeInMs: null,
    dueInMs,
    event:
      // A change that ends an attempt has an event.
      isVisible || row.dispatch === 'inflight'
        ? { type: 'status_changed', detail: null, visible: isVisible }
        : null,
    optsOut: false,
  };
}

const MOVING = `r."from", r.error_code, r.error_detail, r.updated_at, r.sent_at, r.delivered_at, r.provider_id,
  r.vendor_account_id, r.provider_sid, r.provider_status, r.error_status, r.sid_adopted, r.dispatch, r.version,
  r.attempt, r.resends, r.proved_resends, r.failed_accounts, r.lookups, r.started_at, r.first_attempt_at, r.last_event`;

/** Returns what is wrong with the tables of all messages, in one snapshot. */
async function findViolations(): Promise<string[]> {
  const { rows } = await database.pool.query<{ violation: string }>(
    `SELECT 'record and progress: ' || COALESCE(r.id, p.id) AS violation
     FROM message_records r FULL JOIN message_progress p USING (workspace_id, id)
     WHERE r.id IS NULL OR (p.id IS NULL) = (r.status IS NULL)
       OR r.status IS NULL AND num_nonnulls(${MOVING}) > 0
       OR r.status IS NOT NULL AND num_nulls(r.dispatch, r.version, r.attempt, r.updated_at) > 0
     UNION ALL
     SELECT concat('identifier: ', m.provider_sid, s.provider_sid) FROM (
         SELECT * FROM messages WHERE provider_sid IS NOT NULL) m
       FULL JOIN provider_sids s ON s.provider_sid = m.provider_sid AND s.vendor_account_id = m.vendor_account_id
         AND s.workspace_id = m.workspace_id AND s.message_id = m.id
     WHERE m.id IS NULL OR s.message_id IS NULL
     UNION ALL
     SELECT concat('count: ', status) FROM (
         SELECT workspace_id, uuid_v7_day(id) AS day, direction, status, count(*) AS n FROM messages GROUP BY 1, 2, 3, 4
       ) found FULL JOIN (
         SELECT workspace_id, day, direction, status, sum(n) AS kept FROM all_message_counts GROUP BY 1, 2, 3, 4
       ) counts USING (workspace_id, day, direction, status)
     WHERE COALESCE(n, 0) <> COALESCE(kept, 0)
     UNION ALL
     SELECT concat('timeline: ', m.attempt, ' attempts, ', t.attempts, ' started')
     FROM messages m, LATERAL (
       SELECT count(*) FILTER (WHERE type = 'attempt_started') AS attempts,
         count(*) = count(DISTINCT message_version) AND max(message_version) <= m.version AS is_ordered,
         bool_and(at <= next) AS is_in_time
       FROM (
         SELECT *, lead(at, 1, 'infinity') OVER (ORDER BY message_version) AS next FROM message_timeline t
         WHERE t.workspace_id = m.workspace_id AND t.message_id = m.id
       ) events
     ) t
     WHERE m.direction = 'outbound' AND (t.attempts <> m.attempt OR NOT is_ordered OR NOT is_in_time)`,
  );
  return rows.map(({ violation }) => violation);
}

const STATUSES = ['queued', 'sent', 'delivered', 'failed', 'read'] as const;
const SIDS = ['one', 'two', 'three'] as const;

interface Step {
  of: 0 | 1;
  kind: 'claim' | 'change' | 'stale' | 'duplicate' | 'delete';
  dispatch: DispatchRow['dispatch'];
  status: (typeof STATUSES)[number];
  sid: (typeof SIDS)[number] | null;
  isDue: boolean;
  isVisible: boolean;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    of: fc.constantFrom<Step['of'][]>(0, 1),
    kind: fc.oneof(
      { weight: 8, arbitrary: fc.constant<Step['kind']>('change') },
      fc.constantFrom<Step['kind'][]>('claim', 'stale', 'duplicate', 'delete'),
    ),
    dispatch: fc.constantFrom<Step['dispatch'][]>(
      'ready',
      'inflight',
      'accepted',
      'unknown',
      'unresolved',
    ),
    status: fc.constantFrom(...STATUSES),
    sid: fc.option(fc.constantFrom(...SIDS)),
    isDue: fc.boolean(),
    isVisible: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

test('whatever happens to messages, each is in progress or finished, its state is stored once, its identifier is its own, the counts are exact, and its timeline shows each attempt once', async () => {
  const done = { late: 0, reopened: 0, taken: 0 };
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(0, 3), async (all, slot) => {
      database.numbering.value = slot;
      const ids = [await accept(), await accept(true)];
      for (const step of all) {
        const id = ids[step.of] ?? '';
        const row = await store.readRow({ workspaceId, id });
        if (row === null) continue;
        const { dispatch, status, sid, isDue } = step;
        if (step.kind === 'claim') {
          const claimed = await store.claim({ workspaceId, messageId: id });
          expect(claimed !== null).toBe(row.isInProgress && row.dispatch === 'ready');
        } else if (step.kind === 'duplicate') {
          await store.recordDuplicate({ workspaceId, id }, 'another');
        } else if (step.kind === 'delete') {
          await database.pool.query('DELETE FROM message_records WHERE id = $1', [id]);
        } else {
          const providerSid = sid === null ? null : `${ids[0]} ${sid}`;
          const change = changeOf(
            row,
            { dispatch, status, providerSid },
            isDue ? 60_000 : null,
            step.isVisible,
          );
          const isStale = step.kind === 'stale';
          const result = await store.apply(isStale ? { ...change, expectedVersion: 999 } : change);
          const other = await store.readRow({ workspaceId, id: ids[1 - step.of] ?? '' });
          const isTaken = providerSid !== null && other?.providerSid === providerSid;
          expect(result.kind).toBe(isStale ? 'stale' : isTaken ? 'sid_taken' : 'applied');
          if (isTaken && !isStale) done.taken += 1;
          const isWritten = result.kind === 'applied';
          if (isWritten && !row.isInProgress) done[isDue ? 'reopened' : 'late'] += 1;
          expect(await read(id)).toMatchObject(
            isWritten
              ? { version: row.version + 1, dispatch, status, providerSid, isInProgress: isDue }
              : { version: row.version, isInProgress: row.isInProgress },
          );
        }
        expect(await findViolations()).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
  for (const count of Object.values(done)) expect(count).toBeGreaterThan(3);
});

test.each([
  ['a finished message', null],
  ['a message in progress', 60_000],
])(
  'an identifier of %s is refused to another message, and found with its own',
  async (_of, dueInMs) => {
    const [holder, other] = [await accept(), await accept()];
    const sid = `${workspaceId} sid`;
    const next = { providerSid: sid, dispatch: 'accepted', status: 'sent' } as const;
    expect((await store.apply(changeOf(await read(holder), next, dueInMs))).kind).toBe('applied');
    for (const due of [null, 60_000]) {
      const { kind } = await store.apply(changeOf(await read(other), next, due));
      expect(kind).toBe('sid_taken');
    }
    expect(await store.findRowByProviderSid(ACCOUNT, sid)).toMatchObject({ id: holder });
    // A change that takes it away leaves it to the other one.
    const without = changeOf(await read(holder), { providerSid: null }, dueInMs);
    expect((await store.apply(without)).kind).toBe('applied');
    expect((await store.apply(changeOf(await read(other), next, null))).kind).toBe('applied');
    expect(await store.findRowByProviderSid(ACCOUNT, sid)).toMatchObject({ id: other });
  },
);

test.each([
  ['in progress', 60_000],
  ['finished', null],
])(
  'of two processes that change a message that is %s, one finishing it, one writes its change',
  async (_is, dueInMs) => {
    const second = openTestDatabase(testDatabase.url);
    try {
      const another = createMessageStore(second, { leaseMs: 60_000, hintGraceMs: 60_000 });
      for (let n = 0; n < 20; n += 1) {
        const id = await accept();
        await store.apply(
          changeOf(await read(id), { status: 'sent', dispatch: 'accepted' }, dueInMs),
        );
        const row = await read(id);
        const results = await Promise.all([
          store.apply(changeOf(row, { status: 'delivered' }, null)),
          another.apply(changeOf(row, { status: 'failed' }, 60_000)),
        ]);
        const kinds = results.map(({ kind }) => kind);
        expect(kinds.toSorted()).toEqual(['applied', 'stale']);
        const isFinished = kinds[0] === 'applied';
        expect(await read(id)).toMatchObject({
          version: row.version + 1,
          status: isFinished ? 'delivered' : 'failed',
          isInProgress: !isFinished,
        });
      }
    } finally {
      await second.close();
    }
    expect(await findViolations()).toEqual([]);
  },
);
