import { expect, test } from 'vitest';
import { toArrayParameter } from './array-parameter.ts';

test('a column of nulls is null, and so is an empty one', () => {
  expect(toArrayParameter([null, null])).toBeNull();
  expect(toArrayParameter([])).toBeNull();
});

test('numbers and truth values stand bare, nulls among them stay nulls', () => {
  expect(toArrayParameter([1, null, 2.5])).toBe('{1,NULL,2.5}');
  expect(toArrayParameter([true, false])).toBe('{true,false}');
});

test('a text can not end its place in the list, nor be taken for NULL', () => {
  expect(toArrayParameter(['NULL', '', 'a","b', 'a\\'])).toBe(
    String.raw`{"NULL","","a\",\"b","a\\"}`,
  );
});
