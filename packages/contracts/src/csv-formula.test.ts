import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeFormula, unescapeFormula } from './csv-formula.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', "'=1"])(
  'the text %j is exported with an apostrophe in front, so that no spreadsheet executes it',
  (text) => expect(escapeFormula(text)).toBe(`'${text}`),
);

test('every text is the same after an export and an import', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', 'a', ' ') }),
  );
  fc.assert(
    fc.property(text, (given) => {
      expect(unescapeFormula(escapeFormula(given))).toBe(given);
    }),
  );
});

test('a text that no spreadsheet executes is exported unchanged', () => {
  expect(["Ada's", "'quoted'", '', ' =1'].map(escapeFormula)).toEqual([
    "Ada's",
    "'quoted'",
    '',
    ' =1',
  ]);
});
