import { describe, expect, test } from 'vitest';
import { readInbound, readStatus } from './read-webhooks.ts';

const TEXT = 'Is it open on Sunday?';
const FROM = '+14155550123';
const TO = '+14155550100';

/** Values that no vendor documents, and some that JSON permits. */
const VALUES = [null, '', ' ', 'PAUSE', 'two words: 100 %', 'x'.repeat(4_000), 7, true, [], {}];

/** The fields of each vendor that describe a message, and do not decide what it is or whom it is from. */
const OPTIONAL = {
  twilio: [
    'OptOutType',
    'NumMedia',
    'NumSegments',
    'ApiVersion',
    'FromCountry',
    'MessagingServiceSid',
    'SmsStatus',
    'SmsSid',
    'MediaContentType0',
    'NewField',
  ],
  telnyx: [
    'autoresponse_type',
    'parts',
    'media',
    'subject',
    'type',
    'direction',
    'encoding',
    'errors',
    'cost',
    'tags',
    'received_at',
    'messaging_profile_id',
    'new_field',
  ],
  vonage: [
    'sms',
    'usage',
    'channel',
    'timestamp',
    'subject',
    'content',
    'status',
    'error',
    'client_ref',
    'new_field',
  ],
} as const;

const TEXTS = {
  twilio: { Body: TEXT },
  telnyx: { text: TEXT },
  vonage: { message_type: 'text', text: TEXT },
} as const;

type Vendor = keyof typeof OPTIONAL;
const vendors = Object.keys(OPTIONAL) as Vendor[];

/** A form has only texts. */
const isPossible = (vendor: Vendor, value: unknown): boolean =>
  vendor !== 'twilio' || typeof value === 'string';

describe.each(vendors)('an inbound message of %s is stored', (vendor) => {
  test.each(OPTIONAL[vendor])('whatever its field %s is', (field) => {
    for (const value of VALUES.filter((each) => isPossible(vendor, each))) {
      const message = readInbound(vendor, { ...TEXTS[vendor], [field]: value });
      expect(message).toMatchObject({ body: TEXT, from: FROM, to: TO });
      expect(message.segments).toBeGreaterThanOrEqual(1);
    }
  });

  test('without any optional field', () => {
    expect(readInbound(vendor, TEXTS[vendor])).toMatchObject({
      body: TEXT,
      from: FROM,
      to: TO,
      media: [],
      segments: 1,
      providerKeyword: null,
    });
  });
});

test('an unknown word for a keyword is no keyword, and the vendor still counts as having replied', () => {
  for (const word of ['PAUSE', 'two words: 100 %', 'x'.repeat(4_000)]) {
    expect(readInbound('twilio', { Body: TEXT, OptOutType: word }).providerKeyword).toBe('unknown');
    expect(readInbound('telnyx', { text: TEXT, autoresponse_type: word }).providerKeyword).toBe(
      'unknown',
    );
  }
});

test('up to 50 files of a received message are stored, whichever vendor reports them', () => {
  const urls = Array.from({ length: 60 }, (_, index) => `https://media.example/${index}.png`);
  const form = Object.fromEntries(urls.map((url, index) => [`MediaUrl${index}`, url]));
  const received = [
    readInbound('twilio', { Body: TEXT, ...form }),
    readInbound('telnyx', { text: TEXT, media: urls.map((url) => ({ url })) }),
    readInbound('vonage', {
      message_type: 'content',
      text: TEXT,
      content: urls.map((url) => ({ type: 'image', url })),
    }),
  ];
  for (const { body, media } of received) {
    expect(body).toBe(TEXT);
    expect(media.map(({ url }) => url)).toEqual(urls.slice(0, 50));
  }
});

test('a status callback is read although its sender is malformed', () => {
  for (const from of ['x'.repeat(4_000), 'a\u0001b']) {
    expect(readStatus('twilio', { From: from })).toMatchObject({ rawStatus: 'failed', from: null });
  }
  for (const from of [...VALUES, undefined]) {
    expect(readStatus('telnyx', { from })).toMatchObject({ rawStatus: 'delivery_failed' });
    expect(readStatus('vonage', { from })).toMatchObject({ rawStatus: 'undeliverable' });
    expect(readStatus('vonage', { from: '14155550100', message_type: from })).toMatchObject({
      rawStatus: 'undeliverable',
    });
  }
});
