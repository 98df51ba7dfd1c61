import { expect, test } from 'vitest';
import { joinParts } from './store-long-message.ts';

test('a long message without some of its parts shows where they are missing', () => {
  const parts = new Map([
    [2, { body: 'two ', content: '2' }],
    [5, { body: 'five', content: '5' }],
  ]);
  expect(joinParts({ parts, total: 5 })).toBe('[…]two […]five');
  const decode = (contents: readonly string[]): string => `<${contents.join()}>`;
  expect(joinParts({ parts, total: 5 }, decode)).toBe('[…]<2>[…]<5>');
});

test('consecutive parts are decoded together', () => {
  const decode = (contents: readonly string[]): string => `<${contents.join()}>`;
  const parts = new Map([
    [1, { body: 'one', content: '1' }],
    [2, { body: 'two', content: '2' }],
  ]);
  expect(joinParts({ parts, total: 2 }, decode)).toBe('<1,2>');
});

test('half of a surrogate pair and the character NUL, which cannot be stored, are replaced', () => {
  const parts = new Map([
    [1, { body: 'a\0b\ud83d', content: '' }],
    [2, { body: '\ude00c\ud83d', content: '' }],
  ]);
  expect(joinParts({ parts, total: 2 })).toBe('a\ufffdb😀c\ufffd');
});
