import { describe, expect, test } from 'vitest';
import { classifySend } from '../../src/http/classify-send.ts';
import { ERRORS as TELNYX } from '../../src/telnyx/errors.ts';
import { classifySend as classifyTwilio } from '../../src/twilio/classify-send.ts';
import { ERRORS as VONAGE } from '../../src/vonage/errors.ts';
import { readStatus } from './read-webhooks.ts';

const errorOf = (vendor: 'twilio' | 'telnyx' | 'vonage', fields: object) => {
  const { errorCode, errorDetail, isOptOut } = readStatus(vendor, fields);
  return [errorCode, errorDetail, isOptOut];
};

describe('the words of an error are kept, with and without a code', () => {
  test.each([
    ['a code and words', { ErrorCode: '30003', ErrorMessage: 'Off' }, '30003', 'Off'],
    ['words', { ErrorMessage: 'Carrier refused' }, null, 'Carrier refused'],
    ['an empty code', { ErrorCode: '', ErrorMessage: 'Carrier refused' }, null, 'Carrier refused'],
    ['the code 0', { ErrorCode: '0', ErrorMessage: 'Carrier refused' }, null, 'Carrier refused'],
    ['a malformed code', { ErrorCode: 'no route', ErrorMessage: 'No' }, null, 'No'],
    ['the words of a channel', { ChannelStatusMessage: 'Not a user' }, null, 'Not a user'],
    ['blank words', { ErrorCode: '39999', ErrorMessage: ' ' }, '39999', null],
    ['nothing', {}, null, null],
  ])('Twilio reports %s', (_name, fields, code, detail) => {
    expect(errorOf('twilio', fields)).toEqual([code, detail, false]);
  });

  test.each([
    [
      'a code, a title and a detail',
      [{ code: '40008', title: 'Undeliverable', detail: 'No route' }],
      '40008',
      'No route',
    ],
    ['a code as a number', [{ code: 40_008, title: 'Undeliverable' }], '40008', 'Undeliverable'],
    ['a title', [{ title: 'Message expired' }], null, 'Message expired'],
    ['a code that is null', [{ code: null, detail: 'Spam filter' }], null, 'Spam filter'],
    ['a code that is not Telnyx’s', [{ code: 'E-57', detail: 'Carrier' }], 'E-57', 'Carrier'],
    [
      'an error that is a text',
      ['Carrier rejected the message'],
      null,
      'Carrier rejected the message',
    ],
    ['an object instead of a list', { code: '40001', title: 'Landline' }, '40001', 'Landline'],
    ['a text instead of a list', 'Landline', null, 'Landline'],
    ['empty errors before one with words', [{}, null, { title: 'Blocked' }], null, 'Blocked'],
    [
      'words before an error with a code',
      [{ title: 'Failed' }, { code: '40002', title: 'Blocked' }],
      '40002',
      'Blocked',
    ],
    ['an empty list', [], null, null],
    ['null', null, null, null],
  ])('Telnyx reports %s', (_name, errors, code, detail) => {
    expect(errorOf('telnyx', { errors })).toEqual([code, detail, false]);
  });

  const type = (fragment: string) => `https://developer.vonage.com/api-errors/messages#${fragment}`;
  test.each([
    ['a problem', { type: type('1020'), title: 'Invalid params', detail: 'No' }, '1020', 'No'],
    [
      'the code in the title',
      { type: type('rejected'), title: '1030', detail: 'Internal error' },
      '1030',
      'Internal error',
    ],
    [
      'the code in the title as a number',
      { type: type('1020'), title: 1020, detail: 'No' },
      '1020',
      'No',
    ],
    [
      'only a title with a code',
      { title: 1_340, detail: 'Outside of the window' },
      '1340',
      'Outside of the window',
    ],
    [
      'an error inside the error',
      { error: { type: type('1120'), detail: 'Bad sender' } },
      '1120',
      'Bad sender',
    ],
    ['a code and a reason', { code: 1_300, reason: 'Not supported' }, '1300', 'Not supported'],
    ['words without a type', { detail: 'Absent subscriber' }, null, 'Absent subscriber'],
    ['only a title', { title: 'Absent subscriber' }, null, 'Absent subscriber'],
    ['a type that is no URL', { type: 'about:blank', title: 'Rejected' }, null, 'Rejected'],
    ['a text', 'Absent subscriber', null, 'Absent subscriber'],
    ['an empty object', {}, null, null],
  ])('Vonage reports %s', (_name, error, code, detail) => {
    expect(errorOf('vonage', { error })).toEqual([code, detail, false]);
  });

  test('an opt-out is recognized by its code, as a text or as a number, and in any place of a list', () => {
    expect(errorOf('telnyx', { errors: [{ code: 40_300 }] })).toEqual(['40300', null, true]);
    const errors = [{ title: 'Failed' }, { code: '40300', title: 'Blocked due to STOP' }];
    expect(errorOf('telnyx', { errors })).toEqual(['40300', 'Blocked due to STOP', true]);
    expect(errorOf('vonage', { error: { title: 1_240, detail: 'STOP' } })[2]).toBe(true);
    expect(errorOf('twilio', { ErrorCode: '21610' })[2]).toBe(true);
  });

  test('an error inside itself many times, or a list of thousands, ends the reading', () => {
    let error: unknown = { detail: 'Deep' };
    for (let depth = 0; depth < 1_000; depth += 1) error = { error };
    expect(errorOf('vonage', { error })).toEqual([null, null, false]);
    const errors = Array.from({ length: 5_000 }, () => ({}));
    expect(errorOf('telnyx', { errors })).toEqual([null, null, false]);
  });
});

describe('a response that proves nothing keeps its words in the timeline', () => {
  const answered = (status: number, body: object) =>
    ({
      kind: 'answered',
      status,
      headers: {},
      headersAt: 0,
      body: JSON.stringify(body),
      closeConnection: () => undefined,
    }) as const;
  const words = 'Upstream carrier not reachable';
  test.each([
    [
      'Telnyx',
      400,
      (status: number) => classifySend(answered(status, { errors: [{ title: words }] }), TELNYX, 0),
    ],
    [
      'Vonage',
      422,
      (status: number) => classifySend(answered(status, { title: words }), VONAGE, 0),
    ],
    ['Twilio', 400, (status: number) => classifyTwilio(answered(status, { message: words }), 0)],
  ] as const)('%s', (name, refusal, classify) => {
    expect(classify(refusal)).toEqual({
      kind: 'unknown',
      detail: `The response status was ${refusal}, without a ${name} error: ${words}.`,
    });
    expect(classify(503)).toEqual({
      kind: 'unknown',
      detail: `${name} responded with 503: ${words}.`,
    });
  });

  test('an error in the format of another vendor does not prove that nothing was sent', () => {
    const telnyx = { errors: [{ code: '40008', title: 'No' }] };
    const vonage = { type: 'https://developer.vonage.com/api-errors/messages#1120', title: 'No' };
    const stranger = { type: 'https://proxy.example/errors#1120', title: 'No', code: '1120' };
    const nested = { error: { errors: [{ code: '40008' }] } };
    const kindOf = (body: object, errors: typeof TELNYX) =>
      classifySend(answered(422, body), errors, 0).kind;
    expect([kindOf(telnyx, TELNYX), kindOf(vonage, VONAGE)]).toEqual(['rejected', 'rejected']);
    for (const body of [vonage, stranger, nested]) expect(kindOf(body, TELNYX)).toBe('unknown');
    for (const body of [telnyx, stranger, nested]) expect(kindOf(body, VONAGE)).toBe('unknown');
  });
});
