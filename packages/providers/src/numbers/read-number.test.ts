import { readNumber, type NumberContext } from './read-number.ts';
import { describe, expect, test } from 'vitest';

const US = { own: '+15550001111' };
const GB = { own: '+447700900999' };

test.each<[string, string, NumberContext, string]>([
  ['a plus that a form decoded as a space', ' 33612345678', GB, '+33612345678'],
  ['the prefix 00', '0014155558599', US, '+14155558599'],
  ['the prefix 00 without a known country', '0014155558599', {}, '+14155558599'],
  [
    'a national number of the United States',
    '4155558596',
    { ...US, notation: 'national' },
    '+14155558596',
  ],
])('%s: %j is read right', (_case, text, context, right) => {
  expect(readNumber(text, context)).toBe(right);
});

describe('international numbers', () => {
  test.each<[string, string, NumberContext]>([
    ['+14155550123', '+14155550123', {}],
    ['tel:+1-415-555-0123;ext=5', '+14155550123', {}],
    ['tel:7700900123;phone-context=+44', '+447700900123', {}],
    ['TEL:%2B33612345678', '+33612345678', {}],
    ['sms:+33612345678?body=Hi', '+33612345678', {}],
    ['+44 (0)7700 900123', '+447700900123', {}],
    ['0044 (0)7700 900123', '+447700900123', {}],
    ['+4407700900123', '+447700900123', {}],
    ['+1\u00A0(415)\u202F555\u20110123', '+14155550123', {}],
    ['\u202A+14155550123\u202C', '+14155550123', {}],
    ['＋１４１５５５５０１２３', '+14155550123', {}],
    ['٠٠٩٦٦٥٠١٢٣٤٥٦٧', '+966501234567', {}],
    ['+۹۸۹۱۲۳۴۵۶۷۸۹', '+989123456789', {}],
    ['++14155550123', '+14155550123', {}],
    ['+0014155550123', '+14155550123', {}],
    ['+390612345678', '+390612345678', {}],
    ['00390612345678', '+390612345678', {}],
    ['+5215512345678', '+5215512345678', {}],
    ['+999123456789', '+999123456789', {}],
    ['011447700900123', '+447700900123', US],
    ['0011 1 415 555 0123', '+14155550123', { country: 'AU' }],
    ['010 1 415 555 0123', '+14155550123', { country: 'JP' }],
    ['810 49 151 12345678', '+4915112345678', { country: 'RU' }],
    ['447700900123', '+447700900123', { notation: 'international' }],
    ['0033612345678', '+33612345678', { ...US, notation: 'international' }],
    ['33612345678', '+33612345678', { country: 'DE' }],
    ['15551234567', '+15551234567', {}],
    ['5511987654321', '+5511987654321', { country: 'BR' }],
  ])('%j is %s', (text, right, context) => expect(readNumber(text, context)).toBe(right));
});

describe('national numbers', () => {
  test.each<[string, string, NumberContext]>([
    ['4155558595', '+14155558595', US],
    ['4155558595', '+14155558595', { ...US, notation: 'international' }],
    ['(415) 555-8595', '+14155558595', US],
    [' 415 555 8595', '+14155558595', US],
    ['1-415-555-0123', '+14155550123', { country: 'CA' }],
    ['07700 900123', '+447700900123', GB],
    ['7700900123', '+447700900123', GB],
    ['06 12 34 56 78', '+33612345678', { country: 'FR', notation: 'international' }],
    ['612345678', '+33612345678', { country: 'FR', notation: 'national' }],
    ['017185550123', '+4917185550123', { country: 'DE' }],
    ['०९८७६५४३२१०', '+919876543210', { country: 'IN' }],
    ['9876543210', '+919876543210', { country: 'IN' }],
    ['33987654321', '+5533987654321', { country: 'BR' }],
    ['011 15 1234 5678', '+5491112345678', { country: 'AR' }],
    ['5512345678', '+525512345678', { country: 'MX' }],
    ['0445512345678', '+525512345678', { country: 'MX' }],
    ['045 55 1234 5678', '+525512345678', { country: 'MX', notation: 'national' }],
    ['015512345678', '+525512345678', { country: 'MX', notation: 'international' }],
    ['0987654321', '+56987654321', { country: 'CL' }],
    ['791234567', '+41791234567', { country: 'CH', notation: 'national' }],
    ['730 907 665', '+27730907665', { country: 'ZA' }],
    ['436642161003', '+436642161003', { country: 'AT' }],
    ['0031765123456', '+31765123456', { country: 'NL' }],
    ['20123456', '+4520123456', { country: 'DK' }],
    ['8 916 123-45-67', '+79161234567', { country: 'RU' }],
    ['3391234567', '+393391234567', { country: 'IT' }],
    ['0707123456', '+2250707123456', { country: 'CI' }],
    ['+0612345678', '+33612345678', { country: 'FR' }],
  ])('%j is %s', (text, right, context) => expect(readNumber(text, context)).toBe(right));
});

describe('anything else is returned unchanged', () => {
  test.each<[string, NumberContext]>([
    // Ten digits are not a number of Switzerland.
    ['4155558595', {}],
    ['4155558595', { notation: 'international' }],
    ['0612345678', {}],
    ['6505550123', {}],
    ['12345', US],
    ['12345678', US],
    ['5551234', US],
    ['3101234', { country: 'CA' }],
    ['AMAZON', US],
    ['Bank 24', US],
    ['whatsapp:+14155550123', US],
    ['*123#', US],
    ['', US],
    ['123456789012345678901234567890123', US],
    ['612345678', { country: 'AQ' }],
  ])('the text %j is returned unchanged', (text, context) =>
    expect(readNumber(text, context)).toBe(text),
  );
});
