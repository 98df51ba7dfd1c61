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

  test('tells the message, the account, the status and the sender', () => {
    expect(parseStatusCallback(toFields(delivered))).toEqual({
      sid: SID,
      accountSid: ACCOUNT,
      status: 'delivered',
      rawStatus: 'delivered',
      from: '+15557654321',
      errorCode: null,
      errorDetail: null,
    });
  });

  test('is read by its older names too', () => {
    const fields = toFields({ SmsSid: SID, SmsStatus: 'sent', AccountSid: ACCOUNT });
    expect(parseStatusCallback(fields)).toMatchObject({ sid: SID, status: 'sent', from: null });
  });

  test('that carries only a code is put into words', () => {
    const fields = toFields({ ...delivered, MessageStatus: 'undelivered', ErrorCode: '30003' });
    expect(parseStatusCallback(fields)).toMatchObject({
      status: 'undelivered',
      errorCode: '30003',
      errorDetail: 'The handset is switched off or out of reach.',
    });
  });

  test("keeps Twilio's own words, and a code that has none", () => {
    const worded = toFields({ ...delivered, ErrorCode: '30003', ErrorMessage: 'Unreachable' });
    expect(parseStatusCallback(worded)).toMatchObject({ errorDetail: 'Unreachable' });
    const wordless = toFields({ ...delivered, ErrorCode: '39999' });
    expect(parseStatusCallback(wordless)).toMatchObject({ errorCode: '39999', errorDetail: null });
  });

  test('keeps a status of the future as it was spelled', () => {
    const fields = toFields({ ...delivered, MessageStatus: 'teleported' });
    expect(parseStatusCallback(fields)).toMatchObject({ status: null, rawStatus: 'teleported' });
  });

  test.each(['MessageSid', 'AccountSid', 'MessageStatus'])('without %s is none', (name) => {
    const { SmsSid: _sid, SmsStatus: _status, ...rest } = delivered;
    expect(parseStatusCallback(toFields({ ...rest, [name]: '' }))).toBeNull();
  });
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

  test('is read whole', () => {
    expect(parseInbound(toFields(text))).toEqual({
      sid: SID,
      accountSid: ACCOUNT,
      from: '+15551234567',
      to: '+15557654321',
      body: 'STOP',
      media: [],
      segments: 2,
      isKeywordAnswered: false,
    });
  });

  test('tells when Twilio has answered the keyword itself', () => {
    const answered = toFields({ ...text, OptOutType: 'STOP' });
    expect(parseInbound(answered)).toMatchObject({ isKeywordAnswered: true });
  });

  test('brings its media in order, and may have no text', () => {
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

  test.each(['MessageSid', 'AccountSid', 'From', 'To'])('without %s is none', (name) => {
    expect(parseInbound(toFields({ ...text, [name]: '' }))).toBeNull();
  });
});
