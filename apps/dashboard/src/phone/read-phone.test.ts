import { describe, expect, test } from 'vitest';
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
