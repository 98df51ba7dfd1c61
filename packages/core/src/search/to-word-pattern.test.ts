import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';
import { readWords } from './read-words.ts';
import { toWordPattern } from './to-word-pattern.ts';

const finds = (search: string, text: string): boolean =>
  readWords(search).every((word) => new RegExp(toWordPattern(word, 'javascript'), 'u').test(text));

test.each([
  ['hotel', 'Un H\u00d4TEL'],
  ['stras', 'Stra\u00dfe'],
  ['masse', 'MA\u1e9eE'],
  ['strassenbahn', 'Stra\u00dfenbahn'],
  ['確認', '予約の確認をお願いします'],
  ['ガス', 'ｶﾞｽ'],
  ['חשבון', '\u200fחֶשְׁבּוֹן'],
  ['file', 'ﬁle'],
  ['台', 'iPhoneを10台'],
  ['iphone', '新しいiPhone'],
])('the pattern of %s finds it in %s', (search, text) => {
  expect(finds(search, text)).toBe(true);
  expect(finds(search, text.normalize('NFD'))).toBe(true);
});

test.each([
  ['rake', 'brake'],
  ['तीसरा', 'कतीसरा'],
  ['onbahn', 'Straßenbahn'],
  ['か', 'がく'],
])('the pattern of %s does not find it in %s', (search, text) => {
  expect(finds(search, text)).toBe(false);
});

test('every character of Unicode that folds to another text is found by that text', () => {
  const missed: string[] = [];
  const patterns = new Map<string, RegExp>();
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const folded = foldText(character);
    if (folded === character || readWords(folded)[0] !== folded) continue;
    const pattern = patterns.get(folded) ?? new RegExp(toWordPattern(folded, 'javascript'), 'u');
    patterns.set(folded, pattern);
    if (!pattern.test(character)) missed.push(character);
  }
  expect(patterns.size).toBeGreaterThan(2_000);
  expect(missed).toEqual([]);
});

test('the pattern of the longest word has a size that PostgreSQL compiles', () => {
  expect(toWordPattern('s'.repeat(100), 'postgresql').length).toBeLessThan(60_000);
});
