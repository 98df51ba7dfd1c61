import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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
  deleteMessages,
  startHistory,
} from './start-history.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const DAYS = 14;
/** More than the newest messages that are read without the stored counts. */
const EACH_DAY = 120;

let history: History;

beforeAll(async () => {
  history = await startHistory();
});
afterAll(() => history.close());

/** The messages of a day. On every second day, some are of the rare key and of the rare account. */
const dayOf = (day: number) =>
  Array.from({ length: EACH_DAY }, (_, n) => {
    const isInbound = n % 12 === 1;
    const isRare = day % 2 === 0 && n % 40 === 7;
    return {
      at: new Date(START + day * DAY_MS + n * 700_000),
      direction: isInbound ? 'inbound' : 'outbound',
      status: isInbound ? 'received' : (['delivered', 'sent', 'failed'][n % 3] ?? ''),
      sender: isInbound ? null : isRare ? RARE_KEY : n % 17 === 0 ? USER : BUSY_KEY,
      account: isRare || (day % 3 === 0 && n % 48 === 13) ? 'rare' : 'busy',
    };
  });

beforeEach(async () => {
  await history.clear();
  await history.insert(Array.from({ length: DAYS }, (_, day) => dayOf(day)).flat());
});

const run = async (sql: string): Promise<void> => {
  expect([sql, (await history.pool.query(sql)).rowCount]).not.toEqual([sql, 0]);
};
const update = async (set: string, where: string): Promise<void> => {
  expect(await history.update(set, where)).toBeGreaterThan(0);
};
const isOn = (day: number): string => {
  const at = (ms: number) => new Date(ms).toISOString();
  return `created_at >= '${at(START + day * DAY_MS)}' AND created_at < '${at(START + (day + 1) * DAY_MS)}'`;
};
const isRare = `sent_by_id = '${RARE_KEY}'`;

const CHANGES: [when: string, change: () => Promise<void>][] = [
  ['before workers store counts', () => run('SELECT')],
  ['with stored counts of all past days', () => history.store()],
  [
    'when the status of messages has risen since their day was counted',
    async () => {
      await history.store();
      await update(`status = 'delivered'`, `status = 'sent' AND ${isOn(4)}`);
    },
  ],
  [
    'when a status has fallen and another one has risen, so that the counts by status are the same',
    async () => {
      await history.store();
      const first = (status: string, and: string) =>
        `id = (SELECT id FROM messages WHERE status = '${status}' AND ${and} AND ${isOn(4)} ORDER BY id LIMIT 1)`;
      await update(
        `status = CASE status WHEN 'sent' THEN 'failed' ELSE 'sent' END::message_status`,
        `${first('sent', isRare)} OR ${first('failed', `sent_by_id = '${BUSY_KEY}'`)}`,
      );
    },
  ],
  [
    'when messages have got another account since their day was counted',
    async () => {
      await history.store();
      await update(`provider_id = '${RARE_ACCOUNT}'`, `status = 'failed' AND ${isOn(5)}`);
    },
  ],
  [
    'when all messages of one day and some of another are deleted after their days were counted',
    async () => {
      await history.store();
      await run(deleteMessages(isOn(0)));
      await run(deleteMessages(`status = 'failed' AND ${isOn(10)}`));
    },
  ],
  [
    'when a counted day gets further messages',
    async () => {
      await history.store();
      await history.insert(
        dayOf(8).map((row) => ({ ...row, sender: row.sender && RARE_KEY, account: 'rare' })),
      );
    },
  ],
  [
    'when days are counted again after changes',
    async () => {
      await history.store();
      await update(`status = 'sent'`, `status = 'delivered' AND ${isOn(2)}`);
      await run(deleteMessages(`${isRare} AND ${isOn(6)}`));
      await update(`provider_id = '${RARE_ACCOUNT}'`, `${isOn(7)} AND ${isRare} IS FALSE`);
      await history.store();
      await run('SELECT WHERE NOT EXISTS (SELECT FROM message_recounts)');
    },
  ],
  [
    'with stored counts of fewer days than have none',
    async () => {
      await history.store();
      await run(`DELETE FROM message_breakdowns WHERE day < '2026-03-09'`);
    },
  ],
  [
    'with messages of the current day, and of a day in the future',
    async () => {
      await history.store();
      const today = (Date.now() - START) / DAY_MS;
      await history.insert([
        ...dayOf(today).slice(0, 9),
        ...dayOf(Math.ceil(today + 2)).slice(0, 9),
      ]);
    },
  ],
];

const at = (days: number) => new Date(START + days * DAY_MS);
const SENDERS = [[RARE_KEY], [BUSY_KEY], [RARE_KEY, USER], [USER], [RARE_KEY, BUSY_KEY]].map(
  (sentBy) => ({ sentBy }),
);
const ACCOUNTS = [[RARE_ACCOUNT], [BUSY_ACCOUNT], [BUSY_ACCOUNT, RARE_ACCOUNT]].map((provider) => ({
  provider,
}));
const RESTRICTIONS: MessageFilter[] = [
  {},
  { status: ['failed'] },
  { status: ['sent', 'received'] },
  { direction: 'outbound' },
  { direction: 'inbound' },
  { before: at(9) },
  { before: at(8.4) },
  { after: at(1.3), before: at(12.08) },
  { after: at(4.1), before: at(4.6) },
];
const FILTERS: MessageFilter[] = [
  ...[...SENDERS, ...ACCOUNTS].flatMap((one) =>
    RESTRICTIONS.map((other) => ({ ...one, ...other })),
  ),
  { sentBy: [OTHER_KEY] },
  { sentBy: [REMOVED_KEY] },
  { sentBy: [RARE_KEY], provider: [RARE_ACCOUNT] },
];

test.each(CHANGES)(
  'every page by an API key, a person or an account has exactly the matching messages %s',
  async (_, change) => {
    await change();
    const { expectPages } = history;
    const rows = await history.readRows();
    for (const [index, filter] of FILTERS.entries()) {
      const after = rows[(index * 97) % rows.length]?.id ?? '';
      await expectPages(rows, filter, { number: 1 + (index % 3), size: 7, after });
    }
  },
);

const ofRareKey = { sentBy: [RARE_KEY] };
const setCount = (day: number, n: number): Promise<void> =>
  run(
    `UPDATE message_breakdowns SET n = ${n}
     WHERE day = '2026-03-${String(day + 1).padStart(2, '0')}' AND dimension = 'sent_by' AND value = '${RARE_KEY}'`,
  );
const changeOn = (day: number): Promise<void> =>
  update(
    `status = 'read'`,
    `id = (SELECT id FROM messages WHERE status = 'delivered' AND sent_by_id = '${BUSY_KEY}' AND ${isOn(day)} LIMIT 1)`,
  );

test('a page of a rare API key does not read a day whose stored counts have none of its messages, until a message of that day changes', async () => {
  await history.store();
  const all = await history.readPage(ofRareKey, 1, 50);
  const rows = await history.readRows();
  expect(all).toEqual(history.select(rows, ofRareKey));
  await setCount(2, 0);
  const onDay = history.select(rows, { ...ofRareKey, after: at(2), before: at(3) });
  expect(onDay).toHaveLength(3);
  expect(await history.readPage(ofRareKey, 1, 50)).toEqual(all.filter((id) => !onDay.includes(id)));
  await changeOn(2);
  expect(await history.readPage(ofRareKey, 1, 50)).toEqual(all);
});

test('a page of a rare API key does not read days before those that fill it by their stored counts, until a message of these changes', async () => {
  await history.store();
  const all = await history.readPage(ofRareKey, 1, 50);
  await setCount(4, 1_000);
  const isBefore = (id: string) => history.select(rows, { before: at(4) }).includes(id);
  const rows = await history.readRows();
  expect(all.filter(isBefore)).toHaveLength(6);
  expect(await history.readPage(ofRareKey, 1, 50)).toEqual(all.filter((id) => !isBefore(id)));
  await changeOn(4);
  expect(await history.readPage(ofRareKey, 1, 50)).toEqual(all);
});

test('a page of an account has its received messages, also those before all its sent ones', async () => {
  await run(
    deleteMessages(
      `provider_id = '${RARE_ACCOUNT}' AND direction = 'outbound' AND created_at < '2026-03-11'`,
    ),
  );
  await history.store();
  const rows = await history.readRows();
  const expected = history.select(rows, { provider: [RARE_ACCOUNT] });
  const received = history.select(rows, { provider: [RARE_ACCOUNT], direction: 'inbound' });
  expect(received.slice(-3)).toEqual(expected.slice(-3));
  expect(await history.readPage({ provider: [RARE_ACCOUNT] }, 1, 50)).toEqual(expected);
});
