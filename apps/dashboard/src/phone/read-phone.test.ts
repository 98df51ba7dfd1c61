import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitsOf } from './clean-phone.ts';
import { formatPhone } from './format-phone.ts';
import { groupWhileTyping, readPhone } from './read-phone.ts';

describe('readPhone', () => {
  test.each(['+14155550104', '+1 (415) 555-0104', ' +1 415-555-0104 '])(
    'a phone number is accepted in the notation %j',
    (text) => {
      expect(readPhone(text)).toEqual({ kind: 'number', number: '+14155550104', country: 'US' });
    },
  );

  test.each([
    '+14155550104, +14155550105',
    '+14155550104 +14155550105',
    '+1 415 555 0104 and +1 415 555 0105',
    '4155550104 4155550105',
    '+14155550104;',
    'Maya',
    '+141555501041234567',
  ])('the text %j is refused, because it is not exactly one phone number', (text) => {
    expect(readPhone(text)).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('one phone number'),
    });
  });

  test.each(['+14155550104x99', '+1 415 555 0104 ext. 99'])(
    'the number %j is refused, because text messages cannot reach an extension',
    (text) => {
      expect(readPhone(text)).toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining('extension'),
      });
    },
  );

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
      expect(readPhone(text)).toMatchObject({ kind: 'number', number });
      expect(digitsOf(groupWhileTyping(text))).toBe(number.slice(1));
      expect(readPhone(groupWhileTyping(text))).toMatchObject({ kind: 'number', number });
    },
  );

  test('no text changes its digits when it is formatted', () => {
    const character = fc.constantFrom(
      ...'0123456789+()-./,;#*x ~\u2013\u202F\u00A0\u200B\u202A\u0660\u0669\uFF15\u0967\u00B2'.split(
        '',
      ),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 30 }), (characters) => {
        const text = characters.join('');
        expect(digitsOf(groupWhileTyping(text))).toBe(digitsOf(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test('the beginning of a phone number is unfinished, not invalid', () => {
    expect(readPhone('+1 415').kind).toBe('unfinished');
    expect(readPhone('  ').kind).toBe('empty');
  });

  test('a phone number is grouped while it is typed, and no other text loses a character', () => {
    expect(groupWhileTyping('+14155550104')).toBe('+1 415 555 0104');
    expect(groupWhileTyping('+14155550104, +1')).toBe('+14155550104, +1');
    expect(groupWhileTyping('+14155550104x9')).toBe('+14155550104x9');
  });
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
