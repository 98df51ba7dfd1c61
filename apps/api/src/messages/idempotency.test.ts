import type { SendMessageRequest } from '@switchboard/contracts';
import { describe, expect, test } from 'vitest';
import { fingerprintRequest } from './idempotency.ts';

const route = 'POST /api/messages';
const small: SendMessageRequest = { to: '+14155550100', body: 'Hello' };
const firstRelease = {
  ...small,
  from: '+14155550101',
  media_urls: ['https://example.com/cat.jpg'],
  scheduled_at: '2030-01-31T09:00:00Z',
};
const METADATA = { a: '1', b: '2' };
// These two list every field: the compiler refuses a new field that is missing here.
const full: Required<SendMessageRequest> = {
  ...firstRelease,
  repeat_of: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36',
  reference: 'order-1',
  metadata: METADATA,
  encoding: 'as_is',
};
const other: Required<SendMessageRequest> = {
  to: '+14155550102',
  body: 'Bye',
  from: '+14155550103',
  media_urls: ['https://example.com/dog.jpg'],
  scheduled_at: '2030-01-31T10:00:00Z',
  repeat_of: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee37',
  reference: 'order-2',
  metadata: { a: '1', b: '3' },
  encoding: 'prefer_gsm7',
};

const hex = (request: SendMessageRequest & { later?: string | undefined }, of = route) =>
  fingerprintRequest(of, request).toString('hex');

describe('the fingerprint of a send request', () => {
  test.each([
    [
      'only the required fields',
      small,
      '945cf3eb4ebfdcd50993ae9de6bd65942e114e8decec2c5fa2436f1320d41218',
    ],
    [
      'all fields of that release',
      firstRelease,
      'bc78806988db09140af0ad19bf7109557470fe993c4c965c53d9bd89e48f9771',
    ],
  ])(
    'a request with %s has the same fingerprint as in the first release',
    (_, request, expected) => {
      expect(hex(request)).toBe(expected);
    },
  );

  test.each(Object.keys(full) as (keyof SendMessageRequest)[])(
    'a request with a different `%s` has a different fingerprint',
    (field) => {
      expect(hex({ ...full, [field]: other[field] })).not.toBe(hex(full));
    },
  );

  test('a request to a different route has a different fingerprint', () => {
    expect(hex(small, 'POST /api/other')).not.toBe(hex(small));
  });

  test('a field of a later release changes the fingerprint only if the request has it', () => {
    expect(hex({ ...small, later: undefined })).toBe(hex(small));
    expect(hex({ ...small, later: 'a' })).not.toBe(hex(small));
    expect(hex({ ...small, later: 'a' })).not.toBe(hex({ ...small, later: 'b' }));
  });

  test('the same metadata in another order has the same fingerprint', () => {
    const metadata = { b: '2', a: '1' };
    expect(Object.keys(metadata)).not.toEqual(Object.keys(METADATA));
    expect(hex({ ...full, metadata })).toBe(hex(full));
    expect(hex({ ...full, metadata: { a: '2', b: '1' } })).not.toBe(hex(full));
  });
});
