import { expect, test } from 'vitest';
import { readEmailAddress } from './email-address.ts';

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ａｄａ＠example.com'.replace('＠', '@'), 'ada@example.com'],
  ['ada@ｅｘａｍｐｌｅ．com', 'ada@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
  ['ada@BU\u0308CHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@straße.example', 'ada@xn--strae-oqa.example'],
  ['\u212Aada@example.com', 'kada@example.com'],
  ['ﬁona+tag@example.com', 'fiona+tag@example.com'],
  ["o'brien_9@mail.example.co.uk", "o'brien_9@mail.example.co.uk"],
  // Letters of another script are another domain, and its stored form shows that.
  ['ada@ex\u0430mple.com', 'ada@xn--exmple-4nf.com'],
])('the spelling %j is the address %s', (text, address) => {
  expect(readEmailAddress(text)).toBe(address);
  expect(readEmailAddress(address)).toBe(address);
});

test.each([
  'a@b',
  'ada',
  '@example.com',
  'ada@',
  'ada@example.com.',
  'ada@example.com\u3002',
  'ada@.example.com',
  'ada@example..com',
  ' ada@example.com',
  'ada@example.com ',
  'a da@example.com',
  'ada\u200B@example.com',
  'ada@exam\u00ADple.com',
  'ada@exam\u200Dple.com',
  'ada\uFEFF@example.com',
  'ada\u{E0061}@example.com',
  'ada\u202E@example.com',
  '\u0430da@example.com',
  'jörg@example.com',
  '.ada@example.com',
  'a..da@example.com',
  'ada@@example.com',
  '"ada"@example.com',
  'ada@[192.0.2.1]',
  'ada@192.0.2.1',
  'ada@0x7f.1',
  'ada@-example.com',
  'ada@exa_mple.com',
  'ada@example.com/x',
  'ada@example.com:25',
  'ada@ex%61mple.com',
  'ada@example.1',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a'.repeat(64)}.example`,
  `a@${'b.'.repeat(130)}com`,
])('%j is refused as an email address', (text) => {
  expect(readEmailAddress(text)).toBeNull();
});
