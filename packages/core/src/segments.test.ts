import { expect, test } from 'vitest';
import { countSegments, describeSegments } from './segments.ts';

test.each([
  ['', 'GSM-7', 1],
  ['a'.repeat(160), 'GSM-7', 1],
  ['a'.repeat(161), 'GSM-7', 2],
  ['a'.repeat(306), 'GSM-7', 2],
  ['a'.repeat(307), 'GSM-7', 3],
  ['€'.repeat(80), 'GSM-7', 1],
  ['€'.repeat(81), 'GSM-7', 2],
  // 153 is odd: the 77th pair does not fit the first segment and moves as a whole.
  ['€'.repeat(153), 'GSM-7', 3],
  ['ж'.repeat(70), 'UCS-2', 1],
  ['ж'.repeat(71), 'UCS-2', 2],
  ['ж'.repeat(134), 'UCS-2', 2],
  ['ж'.repeat(135), 'UCS-2', 3],
  ['😀'.repeat(35), 'UCS-2', 1],
  // 67 is odd: a surrogate pair is never split.
  ['😀'.repeat(67), 'UCS-2', 3],
] as const)(
  'the encoding and the number of segments of text %# match the rules of carriers',
  (body, encoding, segments) => {
    expect(countSegments(body)).toEqual({ encoding, segments });
  },
);

test.each([
  ['', 160, []],
  ['a'.repeat(159), 1, []],
  ['a'.repeat(161), 145, []],
  ['5 €, 6 €', 150, [{ character: '€', cost: 'doubles' }]],
  [
    '“5 €”',
    65,
    [
      { character: '“', cost: 'forces_ucs2' },
      { character: '”', cost: 'forces_ucs2' },
    ],
  ],
])(
  'for the text %j, the remaining units and the costly characters are reported',
  (body, remaining, costly) => {
    expect(describeSegments(body)).toMatchObject({ remaining, costly });
  },
);
