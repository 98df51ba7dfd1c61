import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeFormula, unescapeFormula } from './csv-formula.ts';

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '\u2212'];

/** What a spreadsheet may remove from the beginning of a cell: spaces, control and invisible characters. */
const REMOVED = [
  ' \u00A0\u1680\u2003\u2028\u2029\u202F\u205F\u3000',
  '\t\n\v\f\r\u0001\u001F\u007F\u0085\u009F',
  '\uFEFF\u200B\u200D\u200E\u202E\u2060\u2066\u00AD\u061C\uFFF9\u{1D173}\u{E0001}\u{E0020}',
  '\u034F\u115F\u17B4\u180E\u3164\uFE0F\uFFA0\u{E0100}',
].flatMap((characters) => [...characters]);

test.each(['\tplain', '\rplain', '\nplain', "'=1", "''=1", "' =1", "'\u200B\u00A0=1"])(
  'the text %j is exported with an apostrophe in front',
  (text) => expect(escapeFormula(text)).toBe(`'${text}`),
);

test.each(REMOVED)(
  'a formula after %j is exported with an apostrophe in front, so that no spreadsheet executes it',
  (removed) => {
    for (const sign of SIGNS) {
      for (const before of ['', removed, removed.repeat(3), ` ${removed}`, `${removed}\u00A0`]) {
        const formula = `${before}${sign}SUM(A1)`;
        expect(escapeFormula(formula)).toBe(`'${formula}`);
      }
    }
  },
);

test('every text is the same after an export and an import', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', 'a', ' ', '\u200B', '\u{E0020}'),
    }),
  );
  fc.assert(
    fc.property(text, (given) => {
      expect(unescapeFormula(escapeFormula(given))).toBe(given);
    }),
  );
});

test('a text that no spreadsheet executes is exported unchanged', () => {
  const texts = [
    "Ada's",
    "'quoted'",
    '',
    ' ',
    ' plain',
    '\u00A0a=1',
    'a\n=1',
    '1-2',
    '👍=1',
    'é=1',
  ];
  expect(texts.map(escapeFormula)).toEqual(texts);
});
