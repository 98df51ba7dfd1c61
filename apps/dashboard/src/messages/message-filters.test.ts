import type { Message } from '@switchboard/contracts';
import { describe, expect, test } from 'vitest';
import {
  type MessageFilters,
  matchesFilters,
  parseMessageSearch,
  readFilters,
  toHistoryQuery,
} from './message-filters.ts';

const message: Message = {
  id: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36',
  direction: 'outbound',
  mode: 'live',
  to: '+14155550100',
  from: '+15005550006',
  body: 'Hello',
  status: 'sent',
  provider_sid: null,
  created_at: new Date('2026-11-20T12:00').toISOString(),
  error_code: null,
  error_detail: null,
  media: [],
  segments: 1,
  updated_at: '2026-11-20T12:00:00.000Z',
  scheduled_at: null,
  sent_at: null,
  delivered_at: null,
  provider: { id: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee38', type: 'twilio' },
  sent_by: { type: 'api_key', id: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee37', name: 'Shop' },
  repeat_of: null,
  reference: 'order 7, part 2',
  metadata: {},
  encoding: 'as_is',
};

describe('message filters', () => {
  test('parameters that are not filters are removed from the address', () => {
    expect(parseMessageSearch({ status: 'sent', utm: 'x', to: '', page: 2 })).toEqual({
      status: 'sent',
    });
  });

  test.each([
    [{}, { page: 1, limit: 50 }],
    [
      { page: '3', limit: '100' },
      { page: 3, limit: 100 },
    ],
    [
      { page: '-1', limit: '7' },
      { page: 1, limit: 50 },
    ],
    [
      { status: 'lost', direction: 'sideways', startDate: 'soon' },
      { page: 1, limit: 50 },
    ],
    [{ to: '+1 (415) 555-0100' }, { page: 1, limit: 50, to: ['+14155550100'] }],
    [
      { status: 'failed,lost,failed, sent', error_code: '30003, 30005', to: '1,2' },
      {
        page: 1,
        limit: 50,
        status: ['failed', 'sent'],
        error_code: ['30003', '30005'],
        to: ['+1', '+2'],
      },
    ],
    [
      { sent_by: 'me,', provider: 'twilio' },
      { page: 1, limit: 50 },
    ],
    [{ from: 'nobody' }, { page: 1, limit: 50 }],
  ])('the address parameters %j select the filters %j', (search, filters) => {
    expect(readFilters(search)).toEqual(filters);
  });
});

test('a date filter includes the whole day in the user’s time zone', () => {
  const days = { startDate: '2026-11-20', endDate: '2026-11-20' };
  const query = toHistoryQuery({ page: 1, limit: 50, ...days });
  const midnight = new Date('2026-11-20T00:00').getTime();
  expect(query.startDate?.getTime()).toBe(midnight - 1);
  expect(query.endDate).toEqual(new Date('2026-11-21T00:00'));
});

test.each([
  [{}, true],
  [{ direction: 'outbound', status: ['sent'], to: ['+14155550100'], from: ['+15005550006'] }, true],
  [{ direction: 'inbound' }, false],
  [{ status: ['delivered'] }, false],
  [{ status: ['delivered', 'sent'] }, true],
  [{ error_code: ['30003'] }, false],
  [{ sent_by: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee36'] }, false],
  [{ sent_by: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee37'] }, true],
  [{ provider: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee36'] }, false],
  [{ provider: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee38'] }, true],
  [{ to: ['+14155550101'] }, false],
  [{ from: ['+14155550100'] }, false],
  [{ startDate: '2026-11-20', endDate: '2026-11-20' }, true],
  [{ startDate: '2026-11-21' }, false],
  [{ endDate: '2026-11-19' }, false],
] satisfies [Partial<MessageFilters>, boolean][])(
  'a live message is compared with the filters %j, and the result is %j',
  (filters, belongs) => {
    expect(matchesFilters(message, { page: 1, limit: 50, ...filters })).toBe(belongs);
  },
);
