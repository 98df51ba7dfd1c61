import { createHmac } from 'node:crypto';

import twilio from 'twilio';
import { describe, expect, test } from 'vitest';

import { type SignedRequest, isSigned } from './signature.ts';

const TOKEN = '12345';
type Fields = SignedRequest['fields'];

/** Signs as Twilio's documentation describes, without Twilio's package. */
function sign(token: string, url: string, fields: Fields): string {
  const unique = new Map(fields.map((field) => [JSON.stringify(field), field]));
  const sorted = [...unique.values()].sort(([a, x], [b, y]) =>
    a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1,
  );
  const text = url + sorted.map(([name, value]) => name + value).join('');
  return createHmac('sha1', token).update(text, 'utf8').digest('base64');
}

/** Runs the official validator on the form as a framework would parse it. */
function isValidForTwilio(signature: string, url: string, fields: Fields): boolean {
  const parameters: Record<string, string | string[]> = {};
  for (const [name] of fields) {
    const values = fields.filter(([other]) => other === name).map(([, value]) => value);
    parameters[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return twilio.validateRequest(TOKEN, signature, url, parameters);
}

const STATUS: Fields = [
  ['MessageStatus', 'delivered'],
  ['AccountSid', `AC${'0'.repeat(32)}`],
  ['MessageSid', `SM${'1'.repeat(32)}`],
];

const forms: Record<string, Fields> = {
  'no fields': [],
  'a status callback': STATUS,
  'empty values': [
    ['Body', ''],
    ['ErrorCode', ''],
  ],
  unicode: [
    ['Body', 'Grüße 👋🏽 \u202etxet مرحبا'],
    ['ProfileName', '名前'],
  ],
  'reserved characters': [['Body', 'a+b & c=d %41 #x']],
  'names that differ in case': [
    ['b', '1'],
    ['B', '2'],
    ['_', '3'],
  ],
  'a name that repeats': [
    ['MediaUrl', 'https://b.example'],
    ['Body', 'x'],
    ['MediaUrl', 'https://a.example'],
  ],
  'a field that repeats': [
    ['To', '+15551234567'],
    ['To', '+15551234567'],
  ],
  'names of inherited properties': [
    ['constructor', 'x'],
    ['toString', 'y'],
  ],
};

// Signed URL → the URL as we receive it.
const addresses: Record<string, [string, string]> = {
  unchanged: ['https://sb.example/status?message=1', 'https://sb.example/status?message=1'],
  'without the port': ['https://sb.example/status', 'https://sb.example:443/status'],
  'with the port': ['https://sb.example:443/status?a=1', 'https://sb.example/status?a=1'],
  'with port 80': ['http://sb.example:80/status', 'http://sb.example/status'],
  'without another port': ['http://sb.example/in', 'http://sb.example:3000/in'],
  'with escapes': [
    "https://sb.example/in?x=it's%20%e2%82%ac",
    "https://sb.example/in?x=it's%20%e2%82%ac",
  ],
  'with credentials': ['https://u:p@sb.example/in', 'https://u:p@sb.example/in'],
};

describe('valid signatures', () => {
  for (const [form, fields] of Object.entries(forms)) {
    for (const [address, [signedUrl, url]] of Object.entries(addresses)) {
      test(`a signed form with ${form} is accepted if its URL is signed ${address}`, () => {
        const signature = sign(TOKEN, signedUrl, fields);
        expect(isValidForTwilio(signature, url, fields)).toBe(true);
        expect(isSigned(TOKEN, { url, signature, fields })).toBe(true);
      });
    }
  }

  test("the signed request in Twilio's documentation is accepted", () => {
    const fields: Fields = [
      ['CallSid', 'CA1234567890ABCDE'],
      ['Caller', '+14158675309'],
      ['Digits', '1234'],
      ['From', '+14158675309'],
      ['To', '+18005551212'],
    ];
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
    const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';
    expect(sign(TOKEN, url, fields)).toBe(signature);
    expect(isSigned(TOKEN, { url, signature, fields })).toBe(true);
  });
});

describe('invalid signatures', () => {
  const url = 'https://sb.example/status?message=1&attempt=1';
  const signature = sign(TOKEN, url, STATUS);

  const changed: Record<string, { url: string; signature: string; fields: Fields }> = {
    'another value': { url, signature, fields: STATUS.map(([name]) => [name, 'x'] as const) },
    'an extra field': { url, signature, fields: [...STATUS, ['ErrorCode', '30003']] },
    'a missing field': { url, signature, fields: STATUS.slice(1) },
    'a second value': { url, signature, fields: [...STATUS, ['MessageStatus', 'failed']] },
    'another path': { url: url.replace('status', 'inbound'), signature, fields: STATUS },
    'another query': { url: url.replace('message=1', 'message=2'), signature, fields: STATUS },
    'another host': { url: url.replace('sb.', 'evil.'), signature, fields: STATUS },
    'no signature': { url, signature: '', fields: STATUS },
    'a truncated signature': { url, signature: signature.slice(0, -1), fields: STATUS },
    'the signature of another token': {
      url,
      signature: sign('54321', url, STATUS),
      fields: STATUS,
    },
    'a signature that is not base64': { url, signature: 'ÿ'.repeat(28), fields: STATUS },
  };

  for (const [change, request] of Object.entries(changed)) {
    test(`a signed request with ${change} is refused`, () => {
      expect(isValidForTwilio(request.signature, request.url, request.fields)).toBe(false);
      expect(isSigned(TOKEN, request)).toBe(false);
    });
  }

  test('a signature made with an empty token is refused', () => {
    const forged = sign('', url, STATUS);
    expect(isSigned('', { url, signature: forged, fields: STATUS })).toBe(false);
  });

  test('a request with a malformed URL is refused without an exception', () => {
    expect(isSigned(TOKEN, { url: '/status', signature, fields: STATUS })).toBe(false);
  });

  test('the signature covers a field named __proto__', () => {
    const fields: Fields = [['__proto__', 'x']];
    expect(isSigned(TOKEN, { url, signature: sign(TOKEN, url, fields), fields })).toBe(true);
    expect(isSigned(TOKEN, { url, signature: sign(TOKEN, url, []), fields })).toBe(false);
  });
});
