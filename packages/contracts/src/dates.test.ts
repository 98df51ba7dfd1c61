import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInstant } from './dates.ts';

describe('an instant', () => {
  test.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z', false],
    ['2026-11-20T04:33', '2026-11-20T04:33:00.000Z', false],
    ['2026-11-20T04:33:05', '2026-11-20T04:33:05.000Z', false],
    ['2026-11-20T04:33:05Z', '2026-11-20T04:33:05.000Z', true],
    ['2026-11-20t04:33:05z', '2026-11-20T04:33:05.000Z', true],
    ['2026-11-20T04:33:05.1Z', '2026-11-20T04:33:05.100Z', true],
    ['2026-11-20T04:33:05,123Z', '2026-11-20T04:33:05.123Z', true],
    ['2026-11-20T04:33:05+00:00', '2026-11-20T04:33:05.000Z', true],
    ['2026-11-20T00:30:00+01:00', '2026-11-19T23:30:00.000Z', true],
    ['2026-11-20T00:30:00+0100', '2026-11-19T23:30:00.000Z', true],
    ['2026-11-20T00:30:00+01', '2026-11-19T23:30:00.000Z', true],
    ['2026-11-19T23:30:00-05:45', '2026-11-20T05:15:00.000Z', true],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', false],
    ['0001-01-01', '0001-01-01T00:00:00.000Z', false],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', true],
  ])('the date %s is parsed as %s', (text, instant, hasOffset) => {
    const parsed = parseInstant(text);
    expect(new Date(parsed?.ms ?? Number.NaN).toISOString()).toBe(instant);
    expect(parsed).toMatchObject({ hasOffset, truncated: false });
  });

  test.each([
    '',
    ' ',
    'now',
    '2026',
    '2026-11',
    '2026-1-1',
    '20261120',
    '2026-11-20T',
    '2026-11-20T04',
    '2026-11-20 04:33',
    '2026-13-01',
    '2026-00-01',
    '2026-11-00',
    '2026-11-31',
    '2026-02-29',
    '1900-02-29',
    '2026-11-20T24:00',
    '2026-11-20T25:00',
    '2026-11-20T04:60',
    '2026-11-20T04:33:60',
    '2026-11-20T04:33:05.Z',
    '2026-11-20T04:33:05.1234567890Z',
    '2026-11-20Z',
    '2026-11-20+01:00',
    '2026-11-20T04:33+24:00',
    '2026-11-20T04:33+01:60',
    '2026-11-20T04:33+1',
    '2026-11-20T04:33 01:00',
    '+002026-11-20',
    '-002026-11-20',
    '２０２６-11-20',
    '2026-11-20\n',
    ' 2026-11-20',
    '2026-11-20T04:33:05ZZ',
    '2026-W47-5',
    '1795149185000',
  ])('%j is not a valid date', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test('a time finer than milliseconds is rounded down and marked as truncated', () => {
    expect(parseInstant('2026-11-20T00:00:00.0009Z')).toEqual({
      ms: Date.UTC(2026, 10, 20),
      truncated: true,
      hasOffset: true,
    });
    expect(parseInstant('2026-11-20T00:00:00.001000000Z')).toMatchObject({ truncated: false });
  });

  test('every time that Date formats is parsed back to the same time', () => {
    const years = {
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
    };
    fc.assert(
      fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
        expect(parseInstant(date.toISOString())?.ms).toBe(date.getTime());
      }),
    );
  });

  test('parsing any text as a date returns whole milliseconds or null', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseInstant(text);
        expect(parsed === null || Number.isSafeInteger(parsed.ms)).toBe(true);
      }),
    );
  });
});
