import { AppError } from '@switchboard/core';
import { describe, expect, test } from 'vitest';
import { type RawQuery, parseQuery, toHistoryQuery } from './index.ts';
import { historyQuery, searchMessagesQuery } from './list-messages.ts';

const parseHistoryQuery = (query: RawQuery) => toHistoryQuery(parseQuery(historyQuery, query));

function refusal(query: RawQuery): string {
  try {
    parseHistoryQuery(query);
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

test('a search position in upper case is converted to the lower case of stored ids', () => {
  const after = '01A1F7B3-89B6-7000-BD3D-4FB81D1BEE36';
  expect(parseQuery(searchMessagesQuery, { after })).toEqual({ after: after.toLowerCase() });
});

describe('a history query', () => {
  test('a history query without parameters requests the first 50 messages', () => {
    expect(parseHistoryQuery({})).toStrictEqual({ page: 1, limit: 50 });
  });

  test('a history query treats an empty parameter as absent and ignores unknown ones', () => {
    const query = {
      page: '',
      limit: '',
      direction: '',
      status: '',
      from: '',
      to: '',
      startDate: '',
      endDate: '',
      sort: 'x',
    };
    expect(parseHistoryQuery(query)).toStrictEqual({ page: 1, limit: 50 });
  });

  test('a history query parses all its parameters', () => {
    expect(
      parseHistoryQuery({
        page: '3',
        limit: '20',
        direction: 'inbound',
        status: 'received,failed,received',
        from: '+15551230001',
        to: ' 15551230002,+15551230003, 15551230004',
        error_code: '30003,outcome_unknown',
        sent_by: '01A1f7b3-89b6-7000-bd3d-4fb81d1bee36',
        provider: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee37',
        country_code: '49,1',
        reference: 'order 7, part 2',
        startDate: '2026-11-20',
        endDate: '2026-11-21T00:00:00 02:00',
      }),
    ).toStrictEqual({
      page: 3,
      limit: 20,
      direction: 'inbound',
      status: ['received', 'failed'],
      from: ['+15551230001'],
      to: ['+15551230002', '+15551230003', '+15551230004'],
      errorCode: ['30003', 'outcome_unknown'],
      sentBy: ['01A1f7b3-89b6-7000-bd3d-4fb81d1bee36'],
      provider: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee37'],
      countryCode: ['49', '1'],
      reference: 'order 7, part 2',
      after: new Date('2026-11-20T00:00:00Z'),
      before: new Date('2026-11-20T22:00:00Z'),
    });
  });

  test.each([
    ['100', 100],
    ['101', 100],
    ['9'.repeat(400), 100],
    ['1', 1],
    ['007', 7],
  ])('a history query reduces the limit %s to at most 100', (limit, read) => {
    expect(parseHistoryQuery({ limit }).limit).toBe(read);
  });

  test('a history query parses a page number of any length as a safe integer', () => {
    for (const page of ['9007199254740993', '9'.repeat(400)]) {
      expect(Number.isSafeInteger(parseHistoryQuery({ page }).page)).toBe(true);
    }
  });

  test('a history query rounds an end date up to a whole millisecond', () => {
    const { after, before } = parseHistoryQuery({
      startDate: '2026-11-20T00:00:00.0005Z',
      endDate: '2026-11-20T00:00:00.0005Z',
    });
    expect([after?.getTime(), before?.getTime()]).toEqual([
      Date.UTC(2026, 10, 20),
      Date.UTC(2026, 10, 20) + 1,
    ]);
  });

  test.each(['page', 'limit', 'direction', 'status', 'from', 'to', 'startDate', 'endDate'])(
    'a history query is refused with the name %s if that parameter is repeated or contains a NUL or a lone surrogate',
    (name) => {
      for (const value of [['a', 'a'], ['', ''], '\0', '\ud800']) {
        expect(refusal({ [name]: value })).toMatch(new RegExp(`^invalid_params: \`${name}\` `));
      }
    },
  );

  test.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'x'],
    ['page', ' 1'],
    ['limit', '0'],
    ['limit', '1e2'],
    ['limit', '٣'],
    ['direction', 'Inbound'],
    ['status', 'accepted'],
    ['status', '__proto__'],
    ['status', 'sent,'],
    ['from', ','],
    ['to', Array.from({ length: 11 }, (_, n) => `+155500000${n + 10}`).join(',')],
    ['error_code', 'x'.repeat(65)],
    ['sent_by', 'me'],
    ['startDate', 'x'],
    ['endDate', '2026-02-30'],
  ])('a history query with %s = %j is refused with the name of the parameter', (name, value) => {
    expect(refusal({ [name]: value })).toMatch(new RegExp(`^invalid_params: \`${name}\` `));
  });
});
