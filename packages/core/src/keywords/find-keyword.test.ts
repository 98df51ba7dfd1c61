import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findKeyword, indexOwnWords } from './find-keyword.ts';
import { normalizeKeyword } from './normalize-keyword.ts';

const read = (body: string) => findKeyword(normalizeKeyword(body));

describe('built-in words', () => {
  test.each([
    'STOP',
    'stop',
    ' Stop \n',
    'STOPALL',
    'stop all',
    'Stop-All',
    'unsubscribe',
    'Cancel',
    'END',
    'QUIT',
    'REVOKE',
    'OPTOUT',
    'opt out',
    'Opt-Out',
    'opt  out',
    'opt\n out',
    'remove',
    'TD',
    'arret',
    'ARRÊT',
    'Arre\u0302t',
  ])('%j opts out', (body) => expect(read(body)).toBe('opt_out'));
  test.each(['START', 'yes', 'Unstop', 'Start.', 'Yes!', '“yes”'])('%j opts in', (body) =>
    expect(read(body)).toBe('opt_in'),
  );
  test.each(['HELP', 'info', 'Help?', 'ｈｅｌｐ'])('%j requests help', (body) =>
    expect(read(body)).toBe('help'),
  );
});

describe('what surrounds a word does not matter', () => {
  test.each([
    'STOP.',
    'Stop!',
    '"STOP"',
    '«stop»',
    '¡STOP!',
    'STOP…',
    "'stop'",
    '(stop)',
    'STOP 🛑',
    '🙏🏽stop🙏🏽',
    'Stop ™️',
    'stop 1️⃣',
    'STOP ❤️',
    'stop 👨‍👩‍👧',
    '🇺🇸 STOP',
    '** STOP **',
    '-STOP-',
    'STOP\u200B',
    '\uFEFFSTOP',
    'ST\u00ADOP',
    '\u202ASTOP\u202C',
    'STOP\uFE0F',
    'STOP\0\0',
    'STOP\uFFFD',
    '\u2800STOP',
    'ＳＴＯＰ',
    'ＳＴＯＰ！',
    '𝐒𝐓𝐎𝐏',
    'Ⓢⓣⓞⓟ',
    'STOP\u00A0',
    'opt\u00A0out',
    'opt\u2011out',
    'opt–out',
    'opt−out',
    '\u3000stop。',
  ])('%j opts out', (body) => expect(read(body)).toBe('opt_out'));
});

test.each(['UNSUBSCRİBE', 'unsubscrıbe', 'unsubscri\u0307be', 'QUİT', 'quıt'])(
  'the Turkish letters of %j are the letter I',
  (body) => expect(read(body)).toBe('opt_out'),
);

test.each([
  '',
  ' ',
  '!!!',
  '🛑',
  'stop it',
  'please stop',
  "don't stop",
  'Don’t stop!',
  'yes please',
  'helpful',
  'stop2',
  '2 stop',
  's t o p',
  'unstoppable',
  'end of day',
  'non-stop',
  'the end',
  'stop/start',
  'STOP START',
])('%j is not a keyword', (body) => expect(read(body)).toBe(null));

test('any punctuation, symbols, emoji and invisible characters around a keyword leave it a keyword', () => {
  const noise = fc.string({
    unit: fc.constantFrom(
      ...'.,!?"\'()[]{}«»“”…-–— \t\n\u00A0\u200B\u200D\uFEFF\u2060\u202E\uFE0F*_~`^|<>=+$€©'.split(
        '',
      ),
      '🛑',
      '👍🏿',
      '™',
      '™️',
      '❗️',
    ),
    maxLength: 20,
  });
  fc.assert(
    fc.property(
      noise,
      fc.constantFrom('STOP', 'stop', 'Arrêt', 'opt out'),
      noise,
      (before, word, after) => {
        expect(read(before + word + after)).toBe('opt_out');
      },
    ),
  );
});

describe('words of a workspace', () => {
  const words = { opt_out: ['Baja', 'ya no más'], opt_in: ['Alta'], help: ['ayuda'] };

  test('are compared as built-in words are', () => {
    const found = indexOwnWords({ ...words, help: ['Schluß', 'Помощь', 'मदद', '助けて'] });
    const index = 'index' in found ? found.index : new Map<string, string>();
    const readOwn = (body: string) => index.get(normalizeKeyword(body));
    expect(
      ['¡baja!', 'Ya no mas', 'ALTA 👍', 'SCHLUSS', 'schluẞ', 'помощь.', 'मदद!', '助けて'].map(
        readOwn,
      ),
    ).toEqual(['opt_out', 'opt_out', 'opt_in', 'help', 'help', 'help', 'help', 'help']);
  });

  test('a word in two lists, or of another built-in list, is a conflict', () => {
    expect(indexOwnWords({ ...words, help: ['BÀJA'] })).toEqual({
      conflict: { word: 'BÀJA', keyword: 'help', other: 'opt_out', isBuiltIn: false },
    });
    expect(indexOwnWords({ ...words, opt_in: ['stop!'] })).toEqual({
      conflict: { word: 'stop!', keyword: 'opt_in', other: 'opt_out', isBuiltIn: true },
    });
    expect(indexOwnWords({ ...words, opt_out: ['Stop', 'baja', 'BAJA'] })).toHaveProperty('index');
  });
});
