import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { keyCount } from './api-keys.tsx';
import { entryCount } from './audit.tsx';
import { importOutcome, importPlan } from './contact-import.tsx';
import { movedHere } from './numbers.tsx';
import { savedReplyCount } from './saved-replies.tsx';
import { newHere } from './session.tsx';
import { deliveryCount } from './webhooks.tsx';

test.each([
  [keyCount, 0, '0 keys'],
  [keyCount, 1, '1 key'],
  [entryCount, 1, '1 entry'],
  [entryCount, 120, '120 entries'],
  [savedReplyCount, 2, '2 saved replies'],
  [deliveryCount, 60, '60 deliveries'],
])('a count has the plural form that English requires: %o of %i is %j', (word, count, text) => {
  expect(word(count)).toBe(text);
});

test('a whole sentence, not only its noun, has a plural form', () => {
  expect(movedHere(1)).toMatch(/^Messages to one of the chosen numbers/);
  expect(movedHere(3)).toMatch(/^Messages to 3 of the chosen numbers/);
});

test('an import is described before and after, without the parts that are zero', () => {
  const counts = { created: 1, updated: 2, kept: 0, skipped: 1 };
  expect(importPlan(counts)).toBe('1 contact to add, 2 to update, 1 row skipped.');
  expect(importOutcome({ ...counts, created: 3, updated: 0 })).toBe(
    '3 contacts added, 1 row skipped.',
  );
});

test('a sentence with a link is one text, into which the view inserts its own link', () => {
  expect(renderToStaticMarkup(newHere((text) => `[${text}]`))).toBe(
    'New here? [Create an account]',
  );
});
