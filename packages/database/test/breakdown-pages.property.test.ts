import { createRandom } from '@switchboard/testing/random';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { MessageFilter } from '../src/index.ts';
import {
  BUSY_ACCOUNT,
  BUSY_KEY,
  DAY_MS,
  type History,
  OTHER_KEY,
  RARE_ACCOUNT,
  RARE_KEY,
  REMOVED_KEY,
  USER,
  startHistory,
} from './start-history.ts';

vi.setConfig({ testTimeout: 600_000 });

let history: History;

beforeAll(async () => {
  history = await startHistory();
});
afterAll(() => history.close());

const STATUSES = ['queued', 'sent', 'delivered', 'failed'] as const;
const OFTEN_QUEUED = ['queued', ...STATUSES] as const;
const MESSAGES = 2_500;
const DAYS = 20;

/** How many of 1,000 messages each value has. */
const shares = fc.record({
  rareKey: fc.constantFrom(2, 10, 100),
  otherKey: fc.constantFrom(0, 1, 300),
  user: fc.constantFrom(0, 5, 100),
  inbound: fc.constantFrom(0, 50, 400),
  rareAccount: fc.constantFrom(2, 10, 200),
  receivedByRareAccount: fc.constantFrom(0, 20, 300),
  removedAccount: fc.constantFrom(0, 50),
});
type Shares = typeof shares extends fc.Arbitrary<infer Value> ? Value : never;

/** Sets of messages: those of a day, of a hundredth of all ids, or of a sender. */
const some = fc.oneof(
  fc.integer({ min: 0, max: DAYS }).map((day) => `uuid_v7_day(id) = CURRENT_DATE - ${day}`),
  fc.integer({ min: 0, max: 99 }).map((part) => `abs(hashtext(id::text)) % 100 = ${part}`),
  fc.constantFrom(RARE_KEY, OTHER_KEY).map((key) => `sent_by_id = '${key}'`),
);
const someOutbound = some.map((where) => `direction = 'outbound' AND ${where}`);
const change = fc.oneof(
  { arbitrary: fc.constant('store' as const), weight: 4 },
  fc
    .tuple(fc.constantFrom(...STATUSES), someOutbound)
    .map(([status, where]) => ({ set: `status = '${status}'`, where })),
  // Messages that finish, and some that are in progress again.
  fc
    .tuple(fc.constantFrom('NULL', 'now()'), someOutbound)
    .map(([dueAt, where]) => ({ set: `due_at = ${dueAt}`, where })),
  some.map((where) => ({
    set: `provider_id = CASE provider_id WHEN '${RARE_ACCOUNT}' THEN '${BUSY_ACCOUNT}' ELSE '${RARE_ACCOUNT}' END::uuid`,
    where,
  })),
  some.map((where) => `DELETE FROM message_records WHERE ${where}`),
  fc
    .integer({ min: 1, max: DAYS })
    .map((days) => `DELETE FROM message_records WHERE uuid_v7_day(id) < CURRENT_DATE - ${days}`),
  // Messages of past days that arrive late, and of days that have not begun.
  fc.tuple(fc.integer({ min: -2, max: DAYS }), some).map(
    ([day, where]) =>
      `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
         created_at, updated_at, dispatch, sent_by, sent_by_id, provider_id)
       SELECT uuid_v7(at), workspace_id, direction, "to", "from", body, segments, status,
         at, at, dispatch, sent_by, sent_by_id, provider_id
       FROM messages, LATERAL (SELECT created_at
         + (CURRENT_DATE - ${day} - uuid_v7_day(id)) * interval '1 day' AS at) times
       WHERE ${where} LIMIT 30`,
  ),
);

const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const someOf = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });
const time = fc.double({ min: -1, max: DAYS + 1, noNaN: true }).map((days) => {
  // Some of the times are the ends of days.
  const at = Math.round(Date.now() - days * DAY_MS);
  return new Date(Math.round(days * 100) % 2 === 0 ? at : Math.floor(at / DAY_MS) * DAY_MS);
});
const filters = fc
  .record({
    sentBy: optional(someOf([RARE_KEY, BUSY_KEY, OTHER_KEY, REMOVED_KEY, USER])),
    provider: optional(someOf([RARE_ACCOUNT, BUSY_ACCOUNT])),
    status: fc.option(fc.subarray([...STATUSES, 'received' as const], { minLength: 1 }), {
      nil: undefined,
      freq: 2,
    }),
    direction: fc.option(fc.constantFrom('inbound' as const, 'outbound' as const), {
      nil: undefined,
      freq: 2,
    }),
    after: fc.option(time, { nil: undefined, freq: 2 }),
    before: optional(time),
  })
  .filter(({ sentBy, provider }) => sentBy !== undefined || provider !== undefined);
const pages = fc.record({
  number: fc.constantFrom(1, 1, 2, 5),
  size: fc.constantFrom(1, 5, 20, 50),
  after: fc.integer({ min: 0, max: MESSAGES - 1 }),
});

async function generate(seed: number, share: Shares): Promise<void> {
  const random = createRandom(seed, 'messages');
  const isIn = (n: number): boolean => random.chance(n / 1_000);
  const now = Date.now();
  const rows = Array.from({ length: MESSAGES }, () => {
    const isInbound = isIn(share.inbound);
    const sender = isIn(share.rareKey)
      ? RARE_KEY
      : isIn(share.otherKey)
        ? OTHER_KEY
        : isIn(share.user)
          ? USER
          : BUSY_KEY;
    return {
      at: new Date(now - random.between(0, DAYS * DAY_MS - 1)),
      direction: isInbound ? 'inbound' : 'outbound',
      status: isInbound ? 'received' : random.pick(OFTEN_QUEUED),
      sender: isInbound ? null : sender,
      account: isIn(isInbound ? share.receivedByRareAccount : share.rareAccount)
        ? 'rare'
        : isIn(share.removedAccount)
          ? 'removed'
          : 'busy',
    };
  });
  await history.insert(rows);
}

const cases = fc.record({
  seed: fc.integer(),
  share: shares,
  // Most histories have stored counts, and some a few changes since.
  changes: fc
    .tuple(fc.array(change, { maxLength: 5 }), fc.boolean(), fc.array(change, { maxLength: 2 }))
    .map(([first, isStored, last]) => [...first, ...(isStored ? ['store' as const] : []), ...last]),
  lists: fc.array(fc.tuple(filters, pages), { minLength: 50, maxLength: 50 }),
});

test('pages by API keys, people and accounts have the messages that a scan finds, after any changes and counts', async () => {
  const property = fc.asyncProperty(cases, async ({ seed, share, changes, lists }) => {
    await history.clear();
    await generate(seed, share);
    for (const each of changes) {
      if (each === 'store') await history.store();
      else if (typeof each === 'string') await history.pool.query(each);
      else await history.update(each.set, each.where);
    }
    const rows = await history.readRows();
    for (const [filter, page] of lists) {
      const after = rows[page.after % rows.length]?.id ?? RARE_KEY;
      await history.expectPages(rows, filter as MessageFilter, { ...page, after });
    }
  });
  await expect(fc.assert(property, { numRuns: 15, endOnFailure: true })).resolves.toBeUndefined();
});
