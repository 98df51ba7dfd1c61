import { expect, test } from 'vitest';
import { readLanguages } from './read-languages.ts';

test.each([
  ['sv-SE,sv;q=0.9,en;q=0.8', ['sv-SE', 'sv', 'en']],
  ['en;q=0.5, da', ['da', 'en']],
  ['de;q=0, *', []],
  ['fr; q=x', []],
  [undefined, []],
])('the header Accept-Language %j names the languages %j', (header, languages) => {
  expect(readLanguages(header)).toEqual(languages);
});
