import { describe, expect, test } from 'vitest';

import { parseInbound, parseStatusCallback } from './parse-webhook.ts';

const SID = `SM${'1'.repeat(32)}`;
const ACCOUNT = `AC${'0'.repeat(32)}`;

function toFields(values: Record<string, string>): [string, string][] {
  return Object.entries(values);
}

describe('a status callback', () => {
  const delivered = {
    MessageSid: SID,
    SmsSid: SID,
    MessageStatus: 'delivered',
    SmsStatus: 'delivered',
    AccountSid: ACCOUNT,
    From: '+15557654321',
    To: '+15551234567',
    ApiVersion: '2010-04-01',
  };

  test('a status callback is parsed into the message, the account, the status and the sender', () => {
    expect(parseStatusCallback(toFields(delivered))).toEqual({
      sid: SID,
      vendorAccountId: ACCOUNT,
      status: 'delivered',
      rawStatus: 'delivered',
      from: '+15557654321',
      errorCode: null,
      errorDetail: null,
      isOptOut: false,
    });
  });

  test('a status callback with the older field names is parsed too', () => {
    const fields = toFields({ SmsSid: SID, SmsStatus: 'sent', AccountSid: ACCOUNT });
    expect(parseStatusCallback(fields)).toMatchObject({ sid: SID, status: 'sent', from: null });
  });

  test('a status callback with only an error code gets our text for the code', () => {
    const fields = toFields({ ...delivered, MessageStatus: 'undelivered', ErrorCode: '30003' });
    expect(parseStatusCallback(fields)).toMatchObject({
      status: 'undelivered',
      errorCode: '30003',
      errorDetail: 'The handset is switched off or out of reach.',
    });
  });

  test("a status callback keeps Twilio's error message, and its error code even without a message", () => {
    const worded = toFields({ ...delivered, ErrorCode: '30003', ErrorMessage: 'Unreachable' });
    expect(parseStatusCallback(worded)).toMatchObject({ errorDetail: 'Unreachable' });
    const wordless = toFields({ ...delivered, ErrorCode: '39999' });
    expect(parseStatusCallback(wordless)).toMatchObject({ errorCode: '39999', errorDetail: null });
  });

  test('a status callback with a malformed sender is parsed without the sender', () => {
    const fields = toFields({ ...delivered, From: 'x'.repeat(4_000) });
    expect(parseStatusCallback(fields)).toMatchObject({ status: 'delivered', from: null });
  });

  test.each(['MessageSid', 'AccountSid', 'MessageStatus'])(
    'a status callback with a %s of 4,000 characters is refused, and the error names the field',
    (name) => {
      const fields = toFields({ ...delivered, [name]: 'x'.repeat(4_000) });
      expect(() => parseStatusCallback(fields)).toThrow(new RegExp(`^\`${name}\` must `));
    },
  );

  test('a status callback with a malformed ErrorCode is parsed without the code', () => {
    for (const ErrorCode of ['x'.repeat(4_000), '30003; DROP', '\uFFFD']) {
      const parsed = parseStatusCallback(toFields({ ...delivered, ErrorCode }));
      expect(parsed).toMatchObject({ status: 'delivered', errorCode: null });
    }
  });

  test('a status callback with a long ErrorMessage keeps its first 1,000 characters', () => {
    const fields = toFields({ ...delivered, ErrorMessage: 'x'.repeat(4_000) });
    expect(parseStatusCallback(fields)?.errorDetail).toHaveLength(1_000);
  });

  test('a status callback with an unknown status keeps the original spelling', () => {
    const fields = toFields({ ...delivered, MessageStatus: 'teleported' });
    expect(parseStatusCallback(fields)).toMatchObject({ status: null, rawStatus: 'teleported' });
  });

  test.each(['MessageSid', 'AccountSid', 'MessageStatus'])(
    'a request without %s is not a status callback',
    (name) => {
      const { SmsSid: _sid, SmsStatus: _status, ...rest } = delivered;
      expect(parseStatusCallback(toFields({ ...rest, [name]: '' }))).toBeNull();
    },
  );
});

describe('an inbound message', () => {
  const text = {
    MessageSid: SID,
    AccountSid: ACCOUNT,
    From: '+15551234567',
    To: '+15557654321',
    Body: 'STOP',
    NumMedia: '0',
    NumSegments: '2',
  };

  test('all fields of an inbound message are parsed', () => {
    expect(parseInbound(toFields(text))).toEqual({
      sid: SID,
      vendorAccountId: ACCOUNT,
      from: '+15551234567',
      to: '+15557654321',
      body: 'STOP',
      media: [],
      segments: 2,
      providerKeyword: null,
    });
  });

  test.each([
    ['STOP', 'opt_out'],
    ['START', 'opt_in'],
    ['HELP', 'help'],
    ['PAUSE', 'unknown'],
    ['opted out: 100 %', 'unknown'],
    ['x'.repeat(4_000), 'unknown'],
  ])(
    'an inbound message with the OptOutType %s is the keyword %s, whatever its text',
    (type, keyword) => {
      const fields = toFields({ ...text, Body: 'basta', OptOutType: type });
      expect(parseInbound(fields)).toMatchObject({ providerKeyword: keyword });
    },
  );

  test('an inbound message with an impossible number of segments gets the number of segments of its text', () => {
    for (const NumSegments of ['0', '-1', '1.5', '1e12', 'x', '']) {
      const fields = toFields({ ...text, Body: 'x'.repeat(161), NumSegments });
      expect(parseInbound(fields)).toMatchObject({ segments: 2 });
    }
  });

  test('an inbound message has at most 50 media files, each with a content type', () => {
    const media = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`MediaUrl${n}`, `https://m.example/${n}`]),
    );
    const fields = toFields({ ...text, ...media, MediaContentType0: 'x'.repeat(4_000) });
    const parsed = parseInbound(fields);
    expect(parsed?.media).toHaveLength(50);
    expect(parsed?.media[0]?.content_type).toBe('application/octet-stream');
  });

  test.each(['MessageSid', 'AccountSid', 'From', 'To'])(
    'an inbound message with a %s of 4,000 characters is refused, and the error names the field',
    (name) => {
      const fields = toFields({ ...text, [name]: 'x'.repeat(4_000) });
      expect(() => parseInbound(fields)).toThrow(new RegExp(`^\`${name}\` must `));
    },
  );

  test('an inbound message may have media in order and no text', () => {
    const fields = toFields({
      ...text,
      Body: '',
      NumMedia: '2',
      MediaUrl1: 'https://api.twilio.com/two',
      MediaUrl0: 'https://api.twilio.com/one',
      MediaContentType0: 'image/png',
    });
    expect(parseInbound(fields)).toMatchObject({
      body: '',
      media: [
        { url: 'https://api.twilio.com/one', content_type: 'image/png' },
        { url: 'https://api.twilio.com/two', content_type: 'application/octet-stream' },
      ],
    });
  });

  test.each(['MessageSid', 'AccountSid', 'From', 'To'])(
    'a request without %s is not an inbound message',
    (name) => {
      expect(parseInbound(toFields({ ...text, [name]: '' }))).toBeNull();
    },
  );
});
