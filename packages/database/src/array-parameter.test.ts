import { expect, test } from 'vitest';
import { toArrayParameter } from './array-parameter.ts';

test('a column of nulls and an empty column become null', () => {
  expect(toArrayParameter([null, null])).toBeNull();
  expect(toArrayParameter([])).toBeNull();
});

test('numbers and booleans are written without quotes, and nulls among them stay nulls', () => {
  expect(toArrayParameter([1, null, 2.5])).toBe('{1,NULL,2.5}');
  expect(toArrayParameter([true, false])).toBe('{true,false}');
});

test('a text with quotes or commas stays one element, and the text NULL is not a null', () => {
  expect(toArrayParameter(['NULL', '', 'a","b', 'a\\'])).toBe(
    String.raw`{"NULL","","a\",\"b","a\\"}`,
  );
});
