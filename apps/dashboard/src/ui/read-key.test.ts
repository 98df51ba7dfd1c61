import { expect, test } from 'vitest';
import { readKey } from './read-key.ts';

const press = (key: string, code: string, more = {}) =>
  readKey({ key, code, keyCode: 0, isComposing: false, ...more });

test.each([
  ['с', 'KeyC', 'c'],
  ['З', 'KeyP', 'P'],
  ['π', 'KeyP', 'p'],
  ['פ', 'KeyP', 'p'],
  ['ح', 'KeyP', 'p'],
  ['ㅔ', 'KeyP', 'p'],
])(
  '%s is a key of a layout without Latin letters, and is read by its place %s as %s',
  (...keys) => {
    const [key, code, read] = keys;
    expect(press(key, code)).toBe(read);
  },
);

test.each([
  ['p', 'KeyR'],
  ['ł', 'KeyL'],
  ['ñ', 'Semicolon'],
  ['ж', 'Semicolon'],
  ['1', 'KeyP'],
  ['Enter', 'Enter'],
  ['Dead', 'KeyN'],
])('%s of a layout with Latin letters, or of another key, is read as it is', (key, code) => {
  expect(press(key, code)).toBe(key);
});

test('a key that an input method uses is not read', () => {
  expect(press('ㅔ', 'KeyP', { isComposing: true })).toBeNull();
  expect(press('Enter', 'Enter', { keyCode: 229 })).toBeNull();
});
