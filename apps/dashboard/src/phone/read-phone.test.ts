import { describe, expect, test } from 'vitest';
import { formatPhone } from './format-phone.ts';
import { groupWhileTyping, readPhone } from './read-phone.ts';

describe('a text that must be one phone number', () => {
  test.each(['+14155550104', '+1 (415) 555-0104', ' +1 415-555-0104 '])(
    'is read in any notation: %j',
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
  ])('is refused where it is none, or more than one: %j', (text) => {
    expect(readPhone(text)).toMatchObject({
      kind: 'wrong',
      words: expect.stringContaining('one phone number'),
    });
  });

  test.each(['+14155550104x99', '+1 415 555 0104 ext. 99'])(
    'is refused with an extension, which no text message reaches: %j',
    (text) => {
      expect(readPhone(text)).toMatchObject({
        kind: 'wrong',
        words: expect.stringContaining('extension'),
      });
    },
  );

  test('is unfinished, and not wrong, while it is being written', () => {
    expect(readPhone('+1 415').kind).toBe('unfinished');
    expect(readPhone('  ').kind).toBe('empty');
  });

  test('is grouped while it is written, and no character of anything else is dropped', () => {
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
])('%s is grouped as in its country: %s', (number, grouped) => {
  expect(formatPhone(number)).toBe(grouped);
});
