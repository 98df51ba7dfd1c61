import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { MessageFilter } from '../src/index.ts';
import { countRowsRead } from './count-rows-read.ts';
import {
  BUSY_ACCOUNT,
  BUSY_KEY,
  DAY_MS,
  type History,
  RARE_ACCOUNT,
  RARE_KEY,
  REMOVED_KEY,
  type Row,
  USER,
  startHistory,
} from './start-history.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const DAYS = 6;
const EACH_DAY = 1_500;
/** Of the rare key and account, and of the rare country, there are fewer messages than this. */
const FEW = 200;

let history: History;
let rows: Row[];

beforeAll(async () => {
  history = await startHistory({ poolSize: 1 });
  await history.insert(Array.from({ length: DAYS * EACH_DAY }, (_, n) => createRow(n)));
  rows = await history.readRows();
});
afterAll(() => history.close());

/** Most messages are of the country 1. Only old messages are of the countries 39 and 44, and of the rare account. */
function createRow(n: number) {
  const isInbound = n % 10 === 3;
  const isOld = n < (DAYS * EACH_DAY) / 3;
  const isRare = isOld && n % 30 === 6;
  return {
    at: new Date(START + (n / EACH_DAY) * DAY_MS),
    direction: isInbound ? 'inbound' : 'outbound',
    status: isInbound ? 'received' : (['delivered', 'sent', 'failed'][n % 7] ?? 'delivered'),
    sender: isInbound ? null : isRare ? RARE_KEY : n % 17 === 0 ? USER : BUSY_KEY,
    account: isRare ? 'rare' : 'busy',
    other:
      isOld && n % 25 === 8 ? '+447700900001' : n % 900 === 36 ? '+39061234567' : '+12025550001',
  };
}

const COUNTRIES = [['1'], ['44'], ['39'], ['39', '44'], ['49']];
const OTHERS: MessageFilter[] = [
  { sentBy: [BUSY_KEY] },
  { sentBy: [RARE_KEY] },
  { sentBy: [USER] },
  { sentBy: [USER, RARE_KEY] },
  { sentBy: [REMOVED_KEY] },
  { provider: [BUSY_ACCOUNT] },
  { provider: [RARE_ACCOUNT] },
  { provider: [RARE_ACCOUNT, BUSY_ACCOUNT], direction: 'inbound' },
  { provider: [RARE_ACCOUNT], sentBy: [RARE_KEY] },
  { sentBy: [RARE_KEY], direction: 'inbound' },
  { sentBy: [BUSY_KEY], status: ['failed', 'sent'], after: new Date(START + 1.3 * DAY_MS) },
  { provider: [BUSY_ACCOUNT], direction: 'outbound', before: new Date(START + 3.6 * DAY_MS) },
];
const PAIRS = OTHERS.flatMap((other) =>
  COUNTRIES.map((countryCode) => ({ countryCode, ...other })),
);

async function expectExactPages(): Promise<void> {
  const after = rows[Math.floor(rows.length / 2)]?.id ?? '';
  for (const filter of PAIRS) {
    await history.expectPages(rows, filter, { number: 1, size: 20, after });
    await history.expectPages(rows, filter, { number: 3, size: 20, after });
  }
}

test('pages and totals of a country with an API key, a person or an account are exact without stored counts', async () => {
  await history.pool.query('TRUNCATE message_breakdowns');
  await expectExactPages();
});

test('pages and totals of a country with an API key, a person or an account are exact with stored counts', async () => {
  await history.store();
  await expectExactPages();
});

test.each<[what: string, filter: MessageFilter]>([
  ['a rare country and the API key of most messages', { countryCode: ['44'], sentBy: [BUSY_KEY] }],
  [
    'a rare country and the account of most messages',
    { countryCode: ['44'], provider: [BUSY_ACCOUNT] },
  ],
  ['the country of most messages and a rare API key', { countryCode: ['1'], sentBy: [RARE_KEY] }],
  [
    'the country of most messages and a rare account',
    { countryCode: ['1'], provider: [RARE_ACCOUNT] },
  ],
])(
  'with stored counts, the total of %s reads only the messages of the rarer one',
  async (_what, filter) => {
    await history.store();
    // A page counts as visible only if no transaction of the database is older, not even one of autovacuum.
    await vi.waitUntil(async () => {
      await history.pool.query('VACUUM ANALYZE message_records');
      const visible = `SELECT FROM pg_class WHERE oid = 'message_records'::regclass AND relallvisible = relpages`;
      return (await history.pool.query(visible)).rowCount === 1;
    }, EVENTUALLY);
    const matches = history.select(rows, filter).length;
    expect(matches).toBeGreaterThan(20);
    const read = await countRowsRead(history.database, 'message_records', async () => {
      expect(await history.count(filter)).toBe(matches);
    });
    expect(read).toBeLessThan(2 * FEW);
  },
);
