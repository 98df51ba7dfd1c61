import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MessageFilter } from '../src/index.ts';
import {
  BUSY_ACCOUNT,
  BUSY_KEY,
  DAY_MS,
  type History,
  OTHER_USER,
  RARE_ACCOUNT,
  RARE_KEY,
  REMOVED_ACCOUNT,
  USER,
  deleteMessages,
  startHistory,
} from './start-history.ts';

const KEYS = [BUSY_KEY, RARE_KEY] as const;
const USERS = [USER, OTHER_USER] as const;
const ACCOUNTS = [BUSY_ACCOUNT, RARE_ACCOUNT] as const;
const START = Date.parse('2026-03-01T00:00:00.000Z');
const MESSAGES = 400;

let history: History;

beforeAll(async () => {
  history = await startHistory();
});
afterAll(() => history.close());

const OUTBOUND = ['queued', 'sending', 'sent', 'failed', 'delivered'] as const;

/** A message of one of four past days, and of the current one for every fortieth. */
function createRow(n: number) {
  const isInbound = n % 5 === 0;
  const half = Math.floor(n / 16) % 2;
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return {
    at: new Date(n % 40 === 39 ? today : START + (n % 4) * DAY_MS + Math.floor(n / 4) * 840_000),
    direction: isInbound ? 'inbound' : 'outbound',
    status: isInbound ? 'received' : (OUTBOUND[(n % 7) % 5] ?? 'sent'),
    sender: isInbound ? null : ((n % 3 === 0 ? USERS : KEYS)[half] ?? null),
    account: ['busy', 'rare', 'removed', null][Math.floor(n / 4) % 4] ?? null,
  };
}

beforeEach(async () => {
  await history.clear();
  await history.insert(Array.from({ length: MESSAGES }, (_, n) => createRow(n)));
});

const run = (sql: string) => history.pool.query(sql);
const remove = async (where: string) => (await run(deleteMessages(where))).rowCount;

const SENDERS = [undefined, [BUSY_KEY], [RARE_KEY, USER]];
const PROVIDERS = [undefined, [BUSY_ACCOUNT], [...ACCOUNTS, REMOVED_ACCOUNT]];
const STATUSES = [undefined, ['failed'], ['sent', 'sending', 'received']];
const DIRECTIONS = [undefined, 'outbound', 'inbound'];
const at = (days: number) => new Date(START + days * DAY_MS);
const PERIODS = [
  {},
  { after: new Date(START - 1), before: at(3) },
  { after: at(0.4), before: at(2.7) },
  { after: at(1.2), before: at(1.6) },
];

/** Every combination of these filters with a sender or an account. */
const FILTERS = SENDERS.flatMap((sentBy) =>
  PROVIDERS.flatMap((provider) =>
    STATUSES.flatMap((status) =>
      DIRECTIONS.flatMap((direction) =>
        PERIODS.map((period) => ({ sentBy, provider, status, direction, ...period })),
      ),
    ),
  ),
).filter(({ sentBy, provider }) => sentBy !== undefined || provider !== undefined);

async function expectExactTotals(): Promise<void> {
  const rows = await history.readRows();
  const wrong: unknown[] = [];
  for (const filter of FILTERS as MessageFilter[]) {
    const total = await history.count(filter);
    const expected = history.select(rows, filter).length;
    if (total !== expected) wrong.push([filter, total, expected]);
  }
  expect(wrong).toEqual([]);
}

const ofDay = (day: number, status: string) =>
  `created_at >= '2026-03-0${day}' AND created_at < '2026-03-0${day + 1}' AND status = '${status}'`;
const firstOf = (day: number, status: string, and = 'true') =>
  `id = (SELECT id FROM messages WHERE ${ofDay(day, status)} AND ${and} ORDER BY id LIMIT 1)`;

test('totals of senders and accounts are exact before and after workers store counts, and after every kind of change', async () => {
  await expectExactTotals();
  await history.store();
  await expectExactTotals();
  const changes = [
    () => history.update(`status = 'delivered'`, ofDay(1, 'sent')),
    () => remove(ofDay(2, 'failed')),
    // The counts by status stay the same: the account changes, and two messages exchange their statuses.
    () =>
      history.update(
        `provider_id = '${RARE_ACCOUNT}'`,
        firstOf(3, 'sending', `provider_id = '${BUSY_ACCOUNT}'`),
      ),
    () =>
      history.update(
        `status = CASE status WHEN 'sent' THEN 'sending' ELSE 'sent' END::message_status`,
        `${firstOf(4, 'sent', `sent_by = 'user'`)} OR ${firstOf(4, 'sending', `sent_by = 'api_key'`)}`,
      ),
    () => remove(`created_at < '2026-03-02'`),
  ];
  for (const change of changes) {
    expect(await change()).toBeGreaterThan(0);
    await expectExactTotals();
  }
  await history.store();
  expect((await run('SELECT FROM message_recounts')).rowCount).toBe(0);
  await expectExactTotals();
});

test('totals of senders and accounts stay exact while messages change and workers store counts at the same time', async () => {
  const sentBy = [BUSY_KEY];
  const total = await history.count({ sentBy });
  const both = await history.count({ provider: ACCOUNTS, direction: 'outbound' });
  let isDone = false;
  const change = async (): Promise<void> => {
    for (let round = 0; round < 20; round += 1) {
      const status = ['sent', 'delivered', 'sending'][round % 3];
      await history.update(`status = '${status}'`, `sent_by_id = '${BUSY_KEY}'`);
      await history.update(
        `provider_id = CASE provider_id
           WHEN '${BUSY_ACCOUNT}' THEN '${RARE_ACCOUNT}' ELSE '${BUSY_ACCOUNT}' END::uuid`,
        `provider_id IN ('${BUSY_ACCOUNT}', '${RARE_ACCOUNT}')`,
      );
    }
  };
  const storeAgain = async (): Promise<void> => {
    while (!isDone) await history.store();
  };
  const read = async (): Promise<void> => {
    while (!isDone) {
      expect(await history.count({ sentBy })).toBe(total);
      expect(await history.count({ provider: ACCOUNTS, direction: 'outbound' })).toBe(both);
    }
  };
  const changed = change().finally(() => {
    isDone = true;
  });
  await Promise.all([changed, storeAgain(), read()]);
  await history.store();
  await expectExactTotals();
});

test('the total of an API key adds up the stored counts of a past day until a message of that day changes', async () => {
  await history.store();
  const total = await history.count({ sentBy: KEYS });
  const raised = await run(
    `UPDATE message_breakdowns SET n = n + 1000
     WHERE day = '2026-03-01' AND dimension = 'sent_by' AND value = '${BUSY_KEY}' AND status = 'failed'`,
  );
  expect(raised.rowCount).toBe(1);
  expect(await history.count({ sentBy: KEYS })).toBe(total + 1000);
  await history.update(`status = 'delivered'`, firstOf(1, 'sent'));
  expect(await history.count({ sentBy: KEYS })).toBe(total);
});
