import { COUNTRIES } from '@switchboard/core';
import { getCountries } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';

test('a country can be chosen if and only if the library can read its national numbers', () => {
  expect([...COUNTRIES]).toEqual(getCountries().toSorted());
});
