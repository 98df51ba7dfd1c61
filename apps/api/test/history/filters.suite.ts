import { createStoreBreakdowns } from '@switchboard/database';
import { openTestDatabase, sendEach } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../start-service.ts';
import {
  ACCOUNTS,
  type Row,
  rows,
  SENDERS,
  STATUSES,
  list,
  service,
  type History,
  read,
  idsOf,
  at,
} from './environment.ts';

/** Stores the counts by API key, user and account, as workers do. */
async function countPastDays(): Promise<void> {
  const database = openTestDatabase(service.database.url);
  try {
    expect(await createStoreBreakdowns(database)(60_000)).toBe(false);
  } finally {
    await database.close();
  }
}

export function describeFilters(): void {
  /** Each filter with the messages that it selects. */
  const FILTERS: { query: string; matches(row: Row): boolean }[] = [
    { query: 'direction=inbound', matches: (row) => row.direction === 'inbound' },
    { query: 'direction=outbound', matches: (row) => row.direction === 'outbound' },
    { query: 'status=delivered', matches: (row) => row.status === 'delivered' },
    { query: 'status=received', matches: (row) => row.status === 'received' },
    { query: 'from=%2B15551000001', matches: (row) => row.from === '+15551000001' },
    { query: 'to=%2B15550000002', matches: (row) => row.to === '+15550000002' },
    { query: 'error_code=30003', matches: (row) => row.error_code === '30003' },
    {
      query: 'status=failed,undelivered,read',
      matches: (row) => ['failed', 'undelivered', 'read'].includes(row.status),
    },
    {
      query: 'from=%2B15551000000,+15551000001',
      matches: (row) => ['+15551000000', '+15551000001'].includes(row.from),
    },
    {
      query: 'to=%2B15550000001,%2B15550000002',
      matches: (row) => ['+15550000001', '+15550000002'].includes(row.to),
    },
    {
      query: 'error_code=30003,30005',
      matches: (row) => row.error_code === '30003' || row.error_code === '30005',
    },
    { query: `sent_by=${SENDERS[0]}`, matches: (row) => row.sender_id === SENDERS[0] },
    {
      query: `sent_by=${SENDERS[1]},${SENDERS[2]}`,
      matches: (row) => row.sender_id === SENDERS[1] || row.sender_id === SENDERS[2],
    },
    { query: 'country_code=44', matches: (row) => outsideOf(row).startsWith('+44') },
    {
      query: 'country_code=1,44',
      matches: (row) => /^\+(1|44)/.test(outsideOf(row)),
    },
    { query: 'reference=order+7', matches: (row) => row.reference === 'order 7' },
    {
      query: 'reference=order+7,+part+2',
      matches: (row) => row.reference === 'order 7, part 2',
    },
    { query: `provider=${ACCOUNTS[0]}`, matches: (row) => row.account === 'one' },
    {
      query: `provider=${ACCOUNTS.join(',')}`,
      matches: (row) => row.account === 'one' || row.account === 'two',
    },
    { query: 'startDate=2026-03-03', matches: (row) => at(row) > Date.parse('2026-03-03') },
    { query: 'endDate=2026-03-08', matches: (row) => at(row) < Date.parse('2026-03-08') },
    {
      query: 'startDate=2026-03-03T12:00:00.001Z',
      matches: (row) => at(row) > Date.parse('2026-03-03T12:00:00.001Z'),
    },
    {
      query: 'endDate=2026-03-08T14:00:00%2B02:00',
      matches: (row) => at(row) < Date.parse('2026-03-08T12:00:00Z'),
    },
  ];

  const outsideOf = (row: Row): string => (row.direction === 'inbound' ? row.from : row.to);

  const pairs = FILTERS.flatMap((first, index) =>
    FILTERS.slice(index).map((second) => ({
      first,
      second,
      query: first === second ? first.query : `${first.query}&${second.query}`,
      isRepeated: first !== second && first.query.split('=')[0] === second.query.split('=')[0],
    })),
  );

  describe('filters of the history', () => {
    test.each([
      ['before workers have counted the past days', async () => undefined],
      ['after workers have counted the past days', countPastDays],
    ])(
      'each filter and each pair of filters selects exactly the matching messages, with exact totals, %s',
      async (_, prepare) => {
        await prepare();
        const responses = await sendEach(pairs, ({ query }) => list(`?limit=100&${query}`), {
          status: ({ isRepeated }) => (isRepeated ? 400 : 200),
        });
        for (const [index, response] of responses.entries()) {
          const { query, first, second, isRepeated } = pairs[index] as (typeof pairs)[number];
          if (isRepeated) {
            expectRefusal(response, 400, 'invalid_params', /once/);
            continue;
          }
          const expected = rows.filter((row) => first.matches(row) && second.matches(row));
          const history = response.json as unknown as History;
          expect([query, idsOf(history.messages)]).toEqual([query, idsOf(expected.slice(0, 100))]);
          expect(history.pagination.totalMessages).toBe(expected.length);
          expect(history.pagination.totalPages).toBe(Math.ceil(expected.length / 100));
        }
      },
    );

    test.each(STATUSES)('the status filter accepts %s', async (status) => {
      const { pagination } = await read(`?status=${status}`);
      expect(pagination.totalMessages).toBe(rows.filter((row) => row.status === status).length);
    });

    test('a number filter restores a + that was decoded as a space', async () => {
      const encoded = await read('?to=%2B15550000002');
      for (const query of ['?to=+15550000002', '?to=%2015550000002']) {
        expect(await read(query)).toEqual(encoded);
      }
      expect((await read('?from=+15551000001')).pagination.totalMessages).toBe(120);
    });

    test('a number filter matches only the whole number and no pattern', async () => {
      for (const value of [
        '15550000002',
        '%2B1555000000',
        '%25',
        '_',
        '%2B15550000002%20',
        '%20%2B15550000002',
        "'",
        '*',
      ]) {
        expect((await read(`?to=${value}`)).pagination.totalMessages).toBe(0);
      }
    });

    test('an empty filter is ignored', async () => {
      const all = await read('');
      expect(
        await read(
          '?page=&limit=&direction=&status=&from=&to=&error_code=&sent_by=&provider=&country_code=&reference=&startDate=&endDate=',
        ),
      ).toEqual(all);
    });

    test('a repeated filter is refused with an error that names it', async () => {
      for (const name of [
        'page',
        'limit',
        'direction',
        'status',
        'from',
        'to',
        'error_code',
        'sent_by',
        'provider',
        'country_code',
        'reference',
        'startDate',
        'endDate',
      ]) {
        expectRefusal(
          await list(`?${name}=1&${name}=1`),
          400,
          'invalid_params',
          new RegExp(`^\`${name}\``),
        );
        expectRefusal(
          await list(`?${name}=&${name}=`),
          400,
          'invalid_params',
          new RegExp(`^\`${name}\``),
        );
      }
    });

    test('an unknown filter is ignored', async () => {
      expect(await read('?workspaceId=x&sort=asc&offset=5&q=1&q=2&__proto__=1')).toEqual(
        await read(''),
      );
    });

    test.each([
      ['direction', 'Inbound'],
      ['direction', 'both'],
      ['direction', 'inbound,outbound'],
      ['direction', '0'],
      ['status', 'Queued'],
      ['status', 'accepted'],
      ['status', 'queued,'],
      ['status', 'queued,Sent'],
      ['from', '+15551000001,'],
      ['sent_by', 'Ada'],
      ['error_code', ','],
      ['status', 'toString'],
      ['status', '%00'],
      ['from', '%00'],
      ['to', 'a%00b'],
      ['reference', 'x'.repeat(201)],
      ['reference', '%00'],
      ['startDate', 'yesterday'],
      ['startDate', '1770000000'],
      ['startDate', '2026-13-01'],
      ['startDate', '2026-02-29'],
      ['startDate', '2026-03-01T25:00:00Z'],
      ['startDate', '2026-03-01T10:60:00Z'],
      ['startDate', '2026-3-1'],
      ['startDate', '01/03/2026'],
      ['startDate', '2026-03-01T10:00:00+25:00'],
      ['startDate', '2026-03-01T10:00:00 Z'],
      ['endDate', '20xx'],
      ['endDate', '2026-03-01T'],
      ['endDate', 'Sun, 01 Mar 2026 00:00:00 GMT'],
      ['endDate', '2026-03-01%00'],
      ['endDate', '%F0%9F%98%80'],
    ])('the filter %s=%s is refused with an error that names it', async (name, value) => {
      const response = await list(`?${name}=${value}`);
      expectRefusal(response, 400, 'invalid_params', new RegExp(`^\`${name}\``));
    });
  });
}
