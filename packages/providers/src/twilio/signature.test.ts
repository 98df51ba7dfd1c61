import { createHmac } from 'node:crypto';

import twilio from 'twilio';
import { describe, expect, test } from 'vitest';

import { type SignedRequest, isSigned } from './signature.ts';

const TOKEN = '12345';
type Fields = SignedRequest['fields'];

/** Written from Twilio's description, not with its package. */
function sign(token: string, url: string, fields: Fields): string {
  const unique = new Map(fields.map((field) => [JSON.stringify(field), field]));
  const sorted = [...unique.values()].sort(([a, x], [b, y]) =>
    a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1,
  );
  const text = url + sorted.map(([name, value]) => name + value).join('');
  return createHmac('sha1', token).update(text, 'utf8').digest('base64');
}

/** What the official validator says of the form as a framework would have parsed it. */
function officialVerdict(signature: string, url: string, fields: Fields): boolean {
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
  'signs of a form': [['Body', 'a+b & c=d %41 #x']],
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
  'names of prototypes': [
    ['constructor', 'x'],
    ['toString', 'y'],
  ],
};

// Signed address → the address as we see it.
const addresses: Record<string, [string, string]> = {
  'the address itself': [
    'https://sb.example/status?message=1',
    'https://sb.example/status?message=1',
  ],
  'the port left out': ['https://sb.example/status', 'https://sb.example:443/status'],
  'the port put in': ['https://sb.example:443/status?a=1', 'https://sb.example/status?a=1'],
  'port 80 put in': ['http://sb.example:80/status', 'http://sb.example/status'],
  'another port left out': ['http://sb.example/in', 'http://sb.example:3000/in'],
  'escapes kept as they are': [
    "https://sb.example/in?x=it's%20%e2%82%ac",
    "https://sb.example/in?x=it's%20%e2%82%ac",
  ],
  'credentials in the address': ['https://u:p@sb.example/in', 'https://u:p@sb.example/in'],
};

describe('a signed request is accepted, as by the official validator', () => {
  for (const [form, fields] of Object.entries(forms)) {
    for (const [address, [signedUrl, url]] of Object.entries(addresses)) {
      test(`${form}, ${address}`, () => {
        const signature = sign(TOKEN, signedUrl, fields);
        expect(officialVerdict(signature, url, fields)).toBe(true);
        expect(isSigned(TOKEN, { url, signature, fields })).toBe(true);
      });
    }
  }

  test("the example of Twilio's documentation", () => {
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

describe('anything else is refused, as by the official validator', () => {
  const url = 'https://sb.example/status?message=1&attempt=1';
  const signature = sign(TOKEN, url, STATUS);

  const changed: Record<string, { url: string; signature: string; fields: Fields }> = {
    'another value': { url, signature, fields: STATUS.map(([name]) => [name, 'x'] as const) },
    'a field more': { url, signature, fields: [...STATUS, ['ErrorCode', '30003']] },
    'a field less': { url, signature, fields: STATUS.slice(1) },
    'a second value': { url, signature, fields: [...STATUS, ['MessageStatus', 'failed']] },
    'another path': { url: url.replace('status', 'inbound'), signature, fields: STATUS },
    'another query': { url: url.replace('message=1', 'message=2'), signature, fields: STATUS },
    'another host': { url: url.replace('sb.', 'evil.'), signature, fields: STATUS },
    'no signature': { url, signature: '', fields: STATUS },
    'a signature cut short': { url, signature: signature.slice(0, -1), fields: STATUS },
    "another token's": { url, signature: sign('54321', url, STATUS), fields: STATUS },
    'no base64': { url, signature: 'ÿ'.repeat(28), fields: STATUS },
  };

  for (const [change, request] of Object.entries(changed)) {
    test(change, () => {
      expect(officialVerdict(request.signature, request.url, request.fields)).toBe(false);
      expect(isSigned(TOKEN, request)).toBe(false);
    });
  }

  test('an empty token signs nothing', () => {
    const forged = sign('', url, STATUS);
    expect(isSigned('', { url, signature: forged, fields: STATUS })).toBe(false);
  });

  test('an address that is none is refused, not thrown', () => {
    expect(isSigned(TOKEN, { url: '/status', signature, fields: STATUS })).toBe(false);
  });

  test('a field named __proto__ counts like any other', () => {
    const fields: Fields = [['__proto__', 'x']];
    expect(isSigned(TOKEN, { url, signature: sign(TOKEN, url, fields), fields })).toBe(true);
    expect(isSigned(TOKEN, { url, signature: sign(TOKEN, url, []), fields })).toBe(false);
  });
});
