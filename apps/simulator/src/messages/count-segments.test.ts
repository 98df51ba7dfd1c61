import { expect, test } from 'vitest';
import { countSegments } from './count-segments.ts';

test.each([
  ['an empty text', '', 1],
  ['a full GSM-7 segment', 'a'.repeat(160), 1],
  ['a GSM-7 segment and one character', 'a'.repeat(161), 2],
  ['two full parts', 'a'.repeat(306), 2],
  ['two full parts and one character', 'a'.repeat(307), 3],
  ['extension characters filling a segment', '€'.repeat(80), 1],
  ['one extension character too many', '€'.repeat(81), 2],
  ['extension characters, which no part splits', '{'.repeat(153), 3],
  ['a full UCS-2 segment', '☃'.repeat(70), 1],
  ['a UCS-2 segment and one character', '☃'.repeat(71), 2],
  ['a backtick, which is outside GSM-7', '`'.repeat(71), 2],
  ['surrogate pairs, which no part splits', '🎈'.repeat(67), 3],
])('the segments of %s are counted as carriers bill them', (_name, body, segments) => {
  expect(countSegments(body)).toBe(segments);
});
