import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPhone } from './format-phone.ts';
import { digitsOf, groupWhileTyping } from './group-while-typing.ts';
import { readTypedNumber } from './read-typed-number.ts';

const numberOf = (text: string, country: string | null) => {
  const reading = readTypedNumber(text, country);
  return reading.kind === 'number' ? reading.e164 : reading;
};

test.each(['+14155550104', '+1 (415) 555-0104', ' +1 415-555-0104 '])(
  'a phone number with a country code is accepted in the notation %j, whatever the country of the workspace is',
  (text) => {
    for (const country of [null, 'US', 'DE', 'ZZ']) {
      expect(readTypedNumber(text, country)).toEqual({
        kind: 'number',
        e164: '+14155550104',
        country: 'US',
      });
    }
  },
);

test.each([
  '+14155550104, +14155550105',
  '+14155550104 +14155550105',
  '+1 415 555 0104 and +1 415 555 0105',
  '+14155550104;',
  'Maya',
  '+141555501041234567',
])('the text %j is refused, because it is not exactly one phone number', (text) => {
  expect(readTypedNumber(text, 'US')).toMatchObject({
    kind: 'problem',
    problem: expect.stringContaining('one phone number'),
    isUnfinished: false,
  });
});

test.each(['+14155550104x99', '+1 415 555 0104 ext. 99', '(415) 555-0104 ext 99'])(
  'the number %j is refused, because text messages cannot reach an extension',
  (text) => {
    expect(readTypedNumber(text, 'US')).toMatchObject({
      kind: 'problem',
      problem: expect.stringContaining('extension'),
    });
  },
);

describe('national numbers', () => {
  test.each([
    ['US', '(415) 555-0104', '+14155550104'],
    ['CA', '1 416 967 1111', '+14169671111'],
    ['US', '555-123-4567', '+15551234567'],
    ['US', '4585550123', '+14585550123'],
    ['GB', '07700 900123', '+447700900123'],
    ['DE', '0151 23456704', '+4915123456704'],
    ['DE', '171 2345670', '+491712345670'],
    ['FR', '06 12 34 56 78', '+33612345678'],
    ['FR', '612345678', '+33612345678'],
    ['IT', '339 123 4567', '+393391234567'],
    ['IT', '06 1234 5678', '+390612345678'],
    ['ES', '612 34 56 78', '+34612345678'],
    ['NO', '47 91 23 45', '+4747912345'],
    ['BR', '(33) 98765-4321', '+5533987654321'],
    ['CN', '130 1234 5678', '+8613012345678'],
    ['IN', '098765 43210', '+919876543210'],
    ['IN', '91987 65432', '+919198765432'],
    ['RU', '8 916 123-45-67', '+79161234567'],
    ['MX', '044 55 1234 5678', '+525512345678'],
    ['MX', '045 55 1234 5678', '+525512345678'],
    ['MX', '01 55 1234 5678', '+525512345678'],
    ['MX', '55 1234 5678', '+525512345678'],
    ['CL', '09 8765 4321', '+56987654321'],
    ['AR', '011 15-1234-5678', '+5491112345678'],
    ['CI', '07 07 12 34 56', '+2250707123456'],
    ['IN', '٠٩٨٧٦٥٤٣٢١٠', '+919876543210'],
  ])('in %s, %j is %s', (country, text, right) => {
    expect(numberOf(text, country)).toBe(right);
  });

  test.each([
    ['US', '0612345603'],
    ['US', '1234567890'],
    ['US', '(415) 055-0104'],
    ['US', '4155550104 4155550105'],
    ['GB', '06123 456789'],
    ['FR', '00 12 34 56 78'],
    ['ES', '112 34 56 78 90'],
    ['DE', '0151 2'],
    ['IN', '01234'],
    ['SE', '070 12 34'],
    ['CH', '4155558595'],
  ])(
    'in %s, %j is refused although it is long enough, because it is not valid',
    (country, text) => {
      expect(readTypedNumber(text, country)).toMatchObject({ kind: 'problem' });
    },
  );

  test('without a country, a national number is refused with an error that says what is missing', () => {
    for (const text of ['(415) 555-0104', '0612345678', '07700 900123']) {
      expect(readTypedNumber(text, null)).toMatchObject({
        kind: 'problem',
        problem: expect.stringContaining('country code'),
      });
    }
  });
});

describe('digits without a plus', () => {
  test.each([
    ['US', '15551234567', '+15551234567'],
    ['US', '447700900123', '+447700900123'],
    ['US', '33612345678', '+33612345678'],
    ['FR', '4915123456704', '+4915123456704'],
    ['FR', '33612345678', '+33612345678'],
    ['GB', '447700900123', '+447700900123'],
    ['IN', '919876543210', '+919876543210'],
    ['RU', '79161234567', '+79161234567'],
    ['BR', '5511987654321', '+5511987654321'],
    ['US', '011 44 7700 900123', '+447700900123'],
    ['DE', '0044 7700 900123', '+447700900123'],
    ['AU', '0011 1 415 555 0123', '+14155550123'],
    ['JP', '010 1 415 555 0123', '+14155550123'],
    [null, '0044 7700 900123', '+447700900123'],
    ['US', '0044 7700 900123', '+447700900123'],
    ['DE', 'tel:+44-7700-900123', '+447700900123'],
    ['GB', '+44 (0)7700 900123', '+447700900123'],
  ])('in %s, %j can only be %s', (country, text, right) => {
    expect(numberOf(text, country)).toBe(right);
  });

  test.each([
    // The digits begin with the country's own code, and would be a national number, too.
    ['DE', '4915123456704', ['+4915123456704', '+494915123456704']],
    ['DE', '49 170 1234567', ['+491701234567', '+49491701234567']],
    // A national number whose trunk prefix a spreadsheet dropped, or a foreign one without its plus.
    ['DE', '33612345678', ['+33612345678', '+4933612345678']],
    ['DE', '151 23456704', ['+15123456704', '+4915123456704']],
    ['IT', '33612345678', ['+33612345678', '+3933612345678']],
    ['DE', '15551234567', ['+15551234567', '+4915551234567']],
    // A wrong area code in the United States, or a number of Denmark.
    ['US', '4520123456', ['+4520123456']],
    [null, '4915123456704', ['+4915123456704']],
    [null, '15551234567', ['+15551234567']],
  ])('in %s, the person is asked which number %j is', (country, text, ask) => {
    expect(readTypedNumber(text, country)).toEqual({ kind: 'ask', ask });
  });
});

describe('as people and spreadsheets write them, from public issue trackers', () => {
  test.each([
    // libphonenumber-js 376 and 298, libphonenumber 666: gateways and exports without the plus.
    ['BY', '375447521111', '+375447521111'],
    ['US', '441843297700', '+441843297700'],
    ['GB', '441843297700', '+441843297700'],
    ['AT', '436642161003', '+436642161003'],
    // yajra/laravel-datatables 2985: a spreadsheet drops the plus.
    ['IE', '353861234567', '+353861234567'],
    // Laravel-Excel 300, opencart-excel-export 4, mautic 890: a spreadsheet drops the zero.
    ['BE', '475123456', '+32475123456'],
    ['SK', '910691880', '+421910691880'],
    ['ZA', '730 907 665', '+27730907665'],
    // libphonenumber 2010: a Spanish number is also a French one. The workspace decides.
    ['FR', '915211201', '+33915211201'],
    ['ES', '915211201', '+34915211201'],
    // odoo 22513: 00 is a plus, whatever the country.
    ['NL', '0031765123456', '+31765123456'],
    [null, '0031765123456', '+31765123456'],
    // libphonenumber 1979: a carrier's code between 00 and the country code.
    ['BR', '005521967506838', '+5521967506838'],
    // python-phonenumbers 112: mobile numbers of nine digits.
    ['IT', '335022670', '+39335022670'],
    // Programs write cells of numbers with a fraction.
    ['US', '447700900123.0', '+447700900123'],
    ['DE', '1712345670.00', '+491712345670'],
  ])('in %s, %j is %s', (country, text, right) => {
    expect(numberOf(text, country)).toBe(right);
  });

  test.each([
    // camptix 40: the digits are lost.
    ['GB', '4.41E+11'],
    ['DE', '4,91512E+12'],
    // libphonenumber 1539, libphonenumber-for-php 296, libphonenumber-csharp 165: too short for the country.
    ['FR', '012345678'],
    ['CH', '079474381'],
    ['SG', '650000000'],
  ])('in %s, %j is refused', (country, text) => {
    expect(readTypedNumber(text, country)).toMatchObject({ kind: 'problem' });
  });
});

test.each([
  ['+49 30 123456\u202F78', '+493012345678'],
  ['+49\u00A030\u200912345678', '+493012345678'],
  ['\u202A+1\u2011415\u2011555\u20110104\u202C', '+14155550104'],
  ['\u200E+1 (415) 555\u200B-\u20600104\uFEFF', '+14155550104'],
  ['+33\u30001\u205F42\u168068\u202853\u202900', '+33142685300'],
  ['＋１ ４１５ ５５５ ０１０４', '+14155550104'],
  ['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '+966501234567'],
  ['+91\u00AD 98765\t43210\n', '+919876543210'],
  ['+९१ ९८७६५ ४३२१०', '+919876543210'],
])(
  'every digit of the copied number %j is kept while it is formatted and when it is read',
  (text, number) => {
    for (const country of [null, 'US', 'DE']) {
      expect(numberOf(text, country)).toBe(number);
      expect(digitsOf(groupWhileTyping(text, country))).toBe(number.slice(1));
      expect(numberOf(groupWhileTyping(text, country), country)).toBe(number);
    }
  },
);

test('no text changes its digits when it is formatted', () => {
  const character = fc.constantFrom(
    ...'0123456789+()-./,;#*x ~\u2013\u202F\u00A0\u200B\u202A\u0660\u0669\uFF15\u0967\u00B2'.split(
      '',
    ),
  );
  fc.assert(
    fc.property(
      fc.array(character, { maxLength: 30 }),
      fc.constantFrom(null, 'US', 'DE', 'BR'),
      (characters, country) => {
        const text = characters.join('');
        expect(digitsOf(groupWhileTyping(text, country))).toBe(digitsOf(text));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('the beginning of a phone number is unfinished, not invalid', () => {
  for (const text of ['+1 415', '+', '0', '(415) 5']) {
    expect(readTypedNumber(text, 'US')).toMatchObject({ kind: 'problem', isUnfinished: true });
  }
  expect(readTypedNumber(' \u200B ', 'US')).toEqual({ kind: 'empty' });
});

test('a phone number is grouped while it is typed, and no other text loses a character', () => {
  expect(groupWhileTyping('+14155550104', null)).toBe('+1 415 555 0104');
  expect(groupWhileTyping('0612345678', 'FR')).toBe('06 12 34 56 78');
  expect(groupWhileTyping('+14155550104, +1', 'US')).toBe('+14155550104, +1');
  expect(groupWhileTyping('+14155550104x9', 'US')).toBe('+14155550104x9');
});

test('every number that is shown is read as itself in every country', () => {
  const shown = [
    '+14155550104',
    '+493012345678',
    '+442079460958',
    '+390612345678',
    '+2250707123456',
  ];
  for (const number of shown) {
    for (const country of [null, 'US', 'DE', 'IT', 'RU', 'JP']) {
      expect(numberOf(formatPhone(number), country)).toBe(number);
    }
  }
});

test.each([
  ['+14155550104', '+1 415 555 0104'],
  ['+493012345678', '+49 30 12345678'],
  ['+442079460958', '+44 20 7946 0958'],
  ['+33142685300', '+33 1 42 68 53 00'],
  ['+919876543210', '+91 98765 43210'],
  ['SHOP', 'SHOP'],
])('the number %s is shown in the notation of its country, %s', (number, grouped) => {
  expect(formatPhone(number)).toBe(grouped);
});
