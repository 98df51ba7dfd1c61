import fc from 'fast-check';
import { expect, test } from 'vitest';
import { subscriberForms } from './subscriber-forms.ts';

test.each([
  ['Mexico', ['+525512345678', '+5215512345678']],
  ['Argentina', ['+541112345678', '+5491112345678']],
  ['Argentina, an area code of four digits', ['+542944123456', '+5492944123456']],
  ['Brazil', ['+5511987654321', '+551187654321']],
  ['Ivory Coast, Orange', ['+2250707123456', '+22507123456']],
  ['Ivory Coast, MTN', ['+2250546123456', '+22546123456']],
  ['Ivory Coast, Moov', ['+2250140123456', '+22540123456']],
  ['Benin', ['+2290197123456', '+22997123456']],
  ['Gabon, Libertis', ['+24166123456', '+24106123456', '+2416123456']],
  ['Gabon, Airtel', ['+24177280150', '+24107280150', '+2417280150']],
  ['Palestine', ['+970599123456', '+972599123456']],
])('%s: each form has all the others', (_plan, forms) => {
  for (const form of forms) {
    expect(subscriberForms(form)[0]).toBe(form);
    expect(subscriberForms(form).toSorted()).toEqual(forms.toSorted());
  }
});

test.each([
  ['a landline of Brazil', '+551133334444'],
  ['a number of Brazil whose last eight digits are those of a landline', '+5511923456789'],
  ['a new number of Ivory Coast that had no old form', '+2250700123456'],
  ['a number of the United States', '+14155550123'],
  ['a mobile number of Israel', '+972521234567'],
  ['a number of Mexico with a digit too many', '+52155123456789'],
  ['a short code', '12345'],
  ['a name', 'ACME 521'],
])('%s has one form', (_case, number) => expect(subscriberForms(number)).toEqual([number]));

test('of any two numbers, both or neither have the other as a form', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), maxLength: 11 });
  const country = fc.constantFrom(
    '52',
    '521',
    '54',
    '549',
    '55',
    '225',
    '22501',
    '22507',
    '229',
    '22901',
    '241',
    '2410',
    '2416',
    '2417',
    '970',
    '972',
    '1',
  );
  fc.assert(
    fc.property(country, digits, (code, rest) => {
      const forms = subscriberForms(`+${code}${rest}`);
      for (const form of forms) expect(subscriberForms(form).toSorted()).toEqual(forms.toSorted());
    }),
    { numRuns: 20_000 },
  );
});
