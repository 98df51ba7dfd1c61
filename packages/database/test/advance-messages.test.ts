import { randomUUID } from 'node:crypto';
import {
  MESSAGE_STATUSES,
  type StatusCallback,
  applyDecision,
  createDispatchPolicy,
  createUuidV7,
  decideDirectEvidence,
  planAdvance,
  startOfSlot,
} from '@switchboard/core';
import {
  type TestDatabase,
  createTestDatabase,
  openTestDatabase,
  updateMessages,
} from '@switchboard/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, type MessageStore, createMessageStore } from '../src/index.ts';
import { describeMessage } from './describe-message.ts';
import { waitForLock } from './wait-for-lock.ts';

const ACCOUNT = 'AC';
const SEALED = 'sealed';
const POLICY = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [60_000] });

let testDatabase: TestDatabase;
let database: Database;
let store: MessageStore;
let workspaceId: string;
let accountId: string;

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
  const { rows } = await database.pool.query<{ id: string }>(
    `WITH added AS (INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'Test', now()))
     INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       verified_credentials, secret_last4, is_default, created_at, updated_at)
     VALUES (uuid_v7(now()), $1, 'twilio', $2, $3, $3, 'x', true, now(), now()) RETURNING id`,
    [workspaceId, ACCOUNT, SEALED],
  );
  accountId = rows[0]?.id ?? '';
});

interface State {
  dispatch: string;
  resends: number;
  lookups: number;
  status: string;
  providerStatus: string | null;
  sidAdopted: boolean;
  from: string | null;
  error: { code: string; detail: string; status: string | null } | null;
  isPolled: boolean;
}

const SENT: State = {
  dispatch: 'accepted',
  resends: 0,
  lookups: 1,
  status: 'sent',
  providerStatus: 'sent',
  sidAdopted: false,
  from: '+15005550006',
  error: null,
  isPolled: true,
};

async function addMessage(state: State, to = workspaceId): Promise<{ id: string; sid: string }> {
  const [id, sid] = [createUuidV7(Date.now()), randomUUID()];
  await database.pool.query(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       provider_status, vendor_account_id, provider_sid, sid_adopted, dispatch, resends, lookups,
       attempt, error_code, error_detail, error_status, request_id, created_at, updated_at, provider_id)
     VALUES ($1, $2, 'outbound', '+15551230001', $3, 'Hello', 1, $4, $5, $6, $7, $8, $9, $10, $11,
       1, $12, $13, $14, 'r1', now() - interval '1 hour', now() - interval '1 hour', $15)`,
    [
      id,
      to,
      state.from,
      state.status,
      state.providerStatus,
      ACCOUNT,
      sid,
      state.sidAdopted,
      state.dispatch,
      state.resends,
      state.lookups,
      state.error?.code ?? null,
      state.error?.detail ?? null,
      state.error?.status ?? null,
      accountId,
    ],
  );
  const due = state.isPolled ? `now() + interval '1 hour'` : 'NULL';
  await updateMessages(database.pool, { set: `due_at = ${due}`, where: 'id = $1', values: [id] });
  return { id, sid };
}

type Report = Pick<StatusCallback, 'status' | 'from' | 'errorCode'>;

function callbackOf({ id, sid }: { id: string; sid: string }, report: Report): StatusCallback {
  return {
    messageId: id,
    sid,
    vendorAccountId: ACCOUNT,
    rawStatus: report.status ?? 'unheard-of',
    errorDetail: null,
    isOptOut: false,
    ...report,
  };
}

function advance(
  callback: StatusCallback,
  { by = accountId, sealedSecret = SEALED, of = workspaceId } = {},
) {
  const planned = planAdvance({ id: by, workspaceId: of, sealedSecret }, callback, POLICY);
  return planned === null ? null : store.advance(planned);
}

/** Mostly the first value, so that many states are usual ones. */
const mostly = <Value>(usual: Value, ...others: Value[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const anyStatus = fc.constantFrom(...MESSAGE_STATUSES);

const states: fc.Arbitrary<State> = fc
  .record({
    dispatch: mostly('accepted', 'inflight', 'unknown'),
    resends: mostly(0, 1),
    lookups: fc.constantFrom(0, 1),
    status: anyStatus,
    isProviders: mostly(true, false),
    providerStatus: fc.option(anyStatus),
    sidAdopted: mostly(false, true),
    from: fc.option(fc.constant('+15005550006')),
    error: mostly<State['error']>(
      null,
      { code: '30003', detail: 'Unreachable', status: null },
      { code: '30003', detail: 'Unreachable', status: 'sent' },
    ),
    isPolled: fc.boolean(),
  })
  .map(({ isProviders, providerStatus, ...state }) => ({
    ...state,
    providerStatus: isProviders ? state.status : providerStatus,
  }));

const reports: fc.Arbitrary<Report> = fc.record({
  status: fc.option(anyStatus, { freq: 9 }),
  from: fc.option(fc.constant('+15005550007')),
  errorCode: mostly<string | null>(null, '30005'),
});

test.each([0, 3])(
  'in slot %i, a report that is written without a read changes a message as the decision about its row does, or not at all',
  async (slot) => {
    database.numbering.value = slot;
    let advanced = 0;
    await fc.assert(
      fc.asyncProperty(states, reports, async (state, report) => {
        const [one, other] = [await addMessage(state), await addMessage(state)];
        const before = await describeMessage(database.pool, one.id);
        const result = await advance(callbackOf(one, report));
        if (result === null) {
          expect(await describeMessage(database.pool, one.id)).toEqual(before);
          return;
        }
        advanced += 1;
        expect(result).toMatchObject({ id: one.id, workspaceId, requestId: 'r1' });
        const callback = callbackOf(other, report);
        const { kind } = await applyDecision(
          store,
          { workspaceId, id: other.id },
          (row) =>
            decideDirectEvidence(row, { ...callback, providerId: accountId }, POLICY, 'callback'),
          POLICY,
        );
        expect(kind).toBe('changed');
        expect(await describeMessage(database.pool, one.id)).toEqual(
          await describeMessage(database.pool, other.id),
        );
      }),
      { numRuns: 200 },
    );
    expect(advanced).toBeGreaterThan(5);
  },
);

test('the usual reports about a message in progress are written without a read, and each event names the one before it', async () => {
  database.numbering.value = 2;
  const message = await addMessage({ ...SENT, status: 'queued', providerStatus: 'queued' });
  const seqs: number[] = [];
  for (const status of ['sending', 'sent', 'delivered'] as const) {
    const result = await advance(callbackOf(message, { status, from: null, errorCode: null }));
    seqs.push(result?.seq ?? 0);
  }
  const late = callbackOf(message, { status: 'read', from: null, errorCode: null });
  expect(await advance(late)).toBeNull();
  const { rows } = await database.pool.query<{ seq: number; previous: number | null }>(
    `SELECT seq, previous_seq AS previous FROM message_events WHERE message_id = $1 ORDER BY seq`,
    [message.id],
  );
  expect(rows).toEqual(seqs.map((seq, n) => ({ seq, previous: seqs[n - 1] ?? null })));
});

test('when two reports about one message arrive at the same time, one is written, and the other must be decided on the new row', async () => {
  const message = await addMessage({ ...SENT, status: 'queued', providerStatus: 'queued' });
  const other = await addMessage(SENT);
  const results = await Promise.all([
    advance(callbackOf(message, { status: 'sent', from: null, errorCode: null })),
    advance(callbackOf(message, { status: 'delivered', from: null, errorCode: null })),
    advance(callbackOf(other, { status: 'delivered', from: null, errorCode: null })),
  ]);
  expect(results.map((result) => result?.id ?? null)).toEqual([message.id, null, other.id]);
});

test('a report is not written without a read if its account has other credentials by now, is not verified, or belongs to another workspace', async () => {
  const message = await addMessage(SENT);
  const callback = callbackOf(message, { status: 'delivered', from: null, errorCode: null });
  expect(await advance(callback, { sealedSecret: 'older' })).toBeNull();
  expect(await advance({ ...callback, sid: 'SM0' })).toBeNull();
  const { pool } = database;
  const setVerified = (verified: string | null) =>
    pool.query('UPDATE provider_accounts SET verified_credentials = $2 WHERE id = $1', [
      accountId,
      verified,
    ]);
  await setVerified(null);
  expect(await advance(callback)).toBeNull();
  await setVerified('older');
  expect(await advance(callback)).toBeNull();
  await setVerified(SEALED);

  const foreign = randomUUID();
  await pool.query(`INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'Other', now())`, [
    foreign,
  ]);
  const theirs = await addMessage(SENT, foreign);
  const status = { status: 'delivered', from: null, errorCode: null } as const;
  expect(await advance(callbackOf(theirs, status))).toBeNull();
  expect(await advance(callback)).toMatchObject({ id: message.id });
});

test('a message that another transaction changes at the same time is not written without a read, and no event number is skipped', async () => {
  database.numbering.value = 4;
  const changing = await addMessage(SENT);
  const other = await addMessage(SENT);
  const holder = await database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(
      'UPDATE message_progress SET version = version + 1, lookups = 0 WHERE id = $1',
      [changing.id],
    );
    const status = { status: 'delivered', from: null, errorCode: null } as const;
    const results = Promise.all([
      advance(callbackOf(changing, status)),
      advance(callbackOf(other, status)),
    ]);
    await waitForLock(database, 1);
    await holder.query('COMMIT');
    expect((await results).map((result) => result?.id ?? null)).toEqual([null, other.id]);
  } finally {
    holder.release();
  }
  const { rows } = await database.pool.query<{ lastSeq: number; events: number }>(
    `SELECT s.last_seq AS "lastSeq", count(e.seq)::int AS events
     FROM event_counters s LEFT JOIN message_events e USING (workspace_id)
     WHERE s.workspace_id = $1 AND s.slot > 0 GROUP BY s.last_seq`,
    [workspaceId],
  );
  expect(rows).toEqual([{ lastSeq: startOfSlot(4) + 1, events: 1 }]);
});
