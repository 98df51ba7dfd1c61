import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type TextPart, decodeText, formatTextPart, parseTextPart } from './text-coding.ts';

const ESCAPE = 0x1b;

const partOf = (bytes: readonly number[] | Buffer, fields: Partial<TextPart> = {}): TextPart => ({
  bytes: Buffer.from(bytes),
  dataCoding: 0,
  locking: 0,
  single: 0,
  ...fields,
});
const decode = (bytes: readonly number[] | Buffer, fields?: Partial<TextPart>): string =>
  decodeText([partOf(bytes, fields)]);
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

// A second source of the tables in annex A of 3GPP TS 23.038, transcribed from release 18. U+FFFF: not assigned.
const second = JSON.parse(
  readFileSync(new URL('../test/ts-23.038-release-18.json', import.meta.url), 'utf8'),
) as Record<'locking' | 'single', Record<string, string>>;

test('every septet of every national locking shift table is the character of the second source', () => {
  expect(Object.keys(second.locking).map(Number)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  for (const [language, table] of Object.entries(second.locking)) {
    for (let septet = 0; septet < 128; septet += 1) {
      if (septet === ESCAPE) continue;
      const expected = table[septet] === '\uffff' ? ' ' : table[septet];
      expect([language, septet, decode([septet], { locking: +language })]).toEqual([
        language,
        septet,
        expected,
      ]);
    }
  }
});

test('every septet after an escape is the character of the second source, or that of the main table', () => {
  expect(Object.keys(second.single)).toHaveLength(13);
  for (const [language, table] of Object.entries(second.single)) {
    for (const locking of [0, 1, 13]) {
      for (let septet = 0; septet < 128; septet += 1) {
        if (septet === ESCAPE) continue;
        const expected = table[septet] === '\uffff' ? decode([septet], { locking }) : table[septet];
        const shifted = decode([ESCAPE, septet], { locking, single: +language });
        expect([language, locking, septet, shifted]).toEqual([language, locking, septet, expected]);
      }
    }
  }
});

test.each([
  ['a code that the extension table does not have', [0x41, ESCAPE, 0x62, 0x63], 'Abc'],
  ['an extended character', [ESCAPE, 0x65], '€'],
  ['two escapes', [0x41, ESCAPE, ESCAPE, 0x42], 'A B'],
  ['an escape at the end', [0x41, ESCAPE], 'A'],
  ['an at sign at the end, which is no NUL', [0x41, 0x00], 'A@'],
])('GSM-7 with %s is decoded', (_, bytes, text) => {
  expect(decode(bytes)).toBe(text);
});

test('a language without a table is read by the default tables', () => {
  expect(decode([ESCAPE, 0x65, 0x02], { locking: 2, single: 99 })).toBe('€$');
});

test.each([
  [0x00, [0x00, ESCAPE, 0x65], '@€'],
  [0x01, [0x41], 'A'],
  [0x03, [0xe9], 'é'],
  [0x04, [0xe9], 'é'],
  [0x05, [0x93, 0xfa], '日'],
  [0x06, [0xbf, 0xe0, 0xd8, 0xd2, 0xd5, 0xe2], 'Привет'],
  [0x07, [0xf9, 0xec, 0xe5, 0xed], 'שלום'],
  [0x08, [0x04, 0x36], 'ж'],
  [0x0a, [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], '日'],
  [0x0e, [0xc7, 0xd1], '한'],
  // General data coding, with a class, and with automatic deletion.
  [0x10, [0x00], '@'],
  [0x15, [0xe9], 'é'],
  [0x18, [0x04, 0x36], 'ж'],
  [0x1c, [0x00], '@'],
  [0x38, [0x04, 0x36], 'ж'],
  [0x40, [0x00], '@'],
  [0x48, [0x04, 0x36], 'ж'],
  [0x7b, [0x04, 0x36], 'ж'],
  // Reserved groups.
  [0x88, [0x00], '@'],
  [0xbf, [0x00], '@'],
  // Message waiting.
  [0xc0, [0x00], '@'],
  [0xc8, [0x00], '@'],
  [0xdb, [0x00], '@'],
  [0xe0, [0x04, 0x36], 'ж'],
  [0xe8, [0x04, 0x36], 'ж'],
  // Message classes.
  [0xf1, [0x00], '@'],
  [0xf5, [0xe9], 'é'],
])('a text with data_coding 0x%s is decoded', (dataCoding, bytes, text) => {
  expect(decode(bytes, { dataCoding })).toBe(text);
});

test.each([
  [1, Buffer.from('STOP\0')],
  [3, Buffer.from('STOP\0\0')],
  [6, Buffer.from('STOP\0')],
  [7, Buffer.from('STOP\0')],
  [8, utf16('STOP\0')],
  [8, Buffer.concat([utf16('STOP'), Buffer.of(0)])],
  [0xe0, utf16('STOP\0\0')],
  [8, utf16('\ufeffSTOP')],
  [8, utf16('\ufeffSTOP\0')],
  [8, Buffer.from('\ufeffSTOP', 'utf16le')],
  [3, Buffer.from('\ufeffSTOP\0')],
])(
  'with data_coding %i, neither trailing NULs nor a byte order mark in %j are text',
  (dataCoding, bytes) => {
    expect(decode(bytes, { dataCoding })).toBe('STOP');
  },
);

const ASSIGNED = '@$!"#az09^{}[~]|'.split('');

test('a text is the same wherever it is split into parts', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((text) => {
      // A NUL or a byte order mark at the edge of a part is no text.
      const kept = text.replaceAll(/[\0\ufeff\ufffe]/g, '');
      return { dataCoding: 8, bytes: utf16(kept), single: 0, locking: 0 };
    }),
    fc.record({
      dataCoding: fc.constantFrom(0, 0x10, 0xc0, 0xf0),
      bytes: fc.uint8Array({ max: 127, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      single: fc.integer({ min: 0, max: 13 }),
      locking: fc.integer({ min: 0, max: 13 }),
    }),
    fc.string({ unit: fc.constantFrom(...ASSIGNED), maxLength: 60 }).map((text) => ({
      dataCoding: 6,
      bytes: Buffer.from(text, 'latin1').filter((byte) => byte > 0) as Buffer,
      single: 0,
      locking: 0,
    })),
  );
  fc.assert(
    fc.property(texts, fc.array(fc.nat(120), { maxLength: 4 }), (text, cuts) => {
      const { bytes } = text;
      const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length];
      const sorted = edges.toSorted((a, b) => a - b);
      const parts = sorted
        .slice(1)
        .map((end, index) => ({ ...text, bytes: bytes.subarray(sorted[index], end) }));
      expect(decodeText(parts)).toBe(decodeText([text]));
    }),
    { numRuns: 1_000 },
  );
});

test('parts in different alphabets are decoded each by its own', () => {
  expect(
    decodeText([
      partOf([0x41, ESCAPE]),
      partOf([0x67], { single: 1 }),
      partOf(utf16('ж'), { dataCoding: 8 }),
      partOf([0x00]),
    ]),
  ).toBe('Ağж@');
});

test('a part that is written as one text is read again unchanged', () => {
  fc.assert(
    fc.property(
      fc.uint8Array(),
      fc.nat(255),
      fc.nat(255),
      fc.nat(255),
      (bytes, dataCoding, locking, single) => {
        const part = partOf(Buffer.from(bytes), { dataCoding, locking, single });
        expect(parseTextPart(formatTextPart(part))).toEqual(part);
      },
    ),
  );
});
