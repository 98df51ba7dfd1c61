import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';
import { readWords, toSearchTerms, toTerms } from './read-words.ts';

test.each([
  ['Hôtel', 'hotel'],
  ['Mu\u0308ller', 'muller'],
  ['STRASSE', 'straße'],
  ['DİYARBAKIR', 'diyarbakır'],
  ['Łódź', 'lodz'],
  ['Nguyễn', 'nguyen'],
  ['Smørrebrød', 'smorrebrod'],
  ['Þórður', 'thordur'],
  ['Œuvre', 'oeuvre'],
  ['ΟΔΟΣ', 'οδός'],
  ['Ёлка', 'елка'],
  ['ＡＢＣ１２３', 'abc123'],
  ['ｶﾞｿﾘﾝ', 'ガソリン'],
  ['か\u3099く', 'がく'],
  ['\u1112\u1161\u11ab글', '한글'],
  ['كِتَابٌ', 'كتاب'],
  ['أحمد الـــعلي', 'احمد العلي'],
  ['سلام علیکم', 'سلام عليكم'],
  ['שָׁלוֹם', 'שלום'],
  ['٠١٢٣٤٥', '012345'],
  ['co\u00adope\u200drate', 'cooperate'],
  ['𝓢𝓪𝓵𝓮', 'sale'],
  ['ﬁnd', 'find'],
])('%s and %s are the same for a search', (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
  expect(foldText(foldText(one))).toBe(foldText(one));
});

test.each([
  ['が', 'か'],
  ['हिन्दी', 'हनद'],
  ['ที่', 'ที'],
  ['한', '하'],
  ['bar', 'car'],
])('%s and %s are different words for a search', (one, other) => {
  expect(foldText(one)).not.toBe(foldText(other));
});

const termsOf = (text: string) => readWords(text).flatMap(toTerms);

test('a word in a script with spaces is one term, and one in a script without spaces a term for each character', () => {
  expect(termsOf('Große Straße 12')).toEqual(['grosse', 'strasse', '12']);
  expect(termsOf('予約の確認。')).toEqual(['予約', '約の', 'の確', '確認', '認']);
  expect(termsOf('iPhoneを10台')).toEqual(['iphone', 'を', '10', '台']);
  expect(readWords('予約iPhone').flatMap(toSearchTerms)).toEqual(['予約', 'iphone']);
  expect(readWords('約').flatMap(toSearchTerms)).toEqual(['約']);
});

test('a text of 1,600 characters has at most 1,600 terms of at most 100 characters', () => {
  const han = Array.from({ length: 1_600 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
  expect(termsOf(han)).toHaveLength(1_600);
  expect(termsOf('x'.repeat(1_600))).toEqual(['x'.repeat(100)]);
});
