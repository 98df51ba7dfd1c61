import { expect, test } from 'vitest';
import { countryOf } from './country-of.ts';

test.each([
  ['DE', '+14155550104', 'DE'],
  [null, '+4915123456704', 'DE'],
  [null, '+16135550104', 'CA'],
  // Numbers for examples belong to no country: the largest one of their code.
  [null, '+15551234567', 'US'],
  [null, '+447700900123', 'GB'],
  [null, '+80012345678', null],
  [null, '12345', null],
  [null, null, null],
])(
  'with the country %j and the default number %j, national numbers are read with %j',
  (country, default_number, right) => {
    expect(countryOf({ country, default_number })).toBe(right);
  },
);
