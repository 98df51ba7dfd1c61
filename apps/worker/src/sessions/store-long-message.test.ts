import { expect, test } from 'vitest';
import { joinParts } from './store-long-message.ts';

test('a long message without some of its parts shows where they are missing', () => {
  const parts = new Map([
    [2, 'two '],
    [5, 'five'],
  ]);
  expect(joinParts({ parts, total: 5 })).toBe('[…]two […]five');
});

test('half of a surrogate pair and the character NUL, which cannot be stored, are replaced', () => {
  const parts = new Map([
    [1, 'a\0b\ud83d'],
    [2, '\ude00c\ud83d'],
  ]);
  expect(joinParts({ parts, total: 2 })).toBe('a\ufffdb😀c\ufffd');
});
