/** Letters that Unicode does not decompose, as people type them without the key for them. */
const LETTERS = [
  'ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ħ=h ŧ=t ı=i', // Latin
  'ς=σ ґ=г', // Greek, Ukrainian
  'ٱ=ا ى=ي ی=ي ة=ه ک=ك', // The forms of alef, yeh, teh marbuta and kaf
].flatMap((script) => script.split(' ').map((pair) => pair.split('=') as [string, string]));

/** The zeros of decimal digits in other scripts. The other nine digits follow each. */
const ZEROS = '٠۰०০੦૦୦௦౦೦൦๐໐༠၀០᠐';

const REPLACEMENTS = new Map([
  ...LETTERS,
  ...Array.from(ZEROS).flatMap((zero) =>
    Array.from({ length: 10 }, (_, digit): [string, string] => [
      String.fromCodePoint((zero.codePointAt(0) ?? 0) + digit),
      String(digit),
    ]),
  ),
]);

const REPLACED = new RegExp(`[${[...REPLACEMENTS.keys()].join('')}]`, 'gu');

/**
 * What people omit when they type: accents, the vowels of Hebrew and Arabic, the tatweel, and characters that only control
 * the display. A mark of another script is a part of its letter, such as a vowel in Thai or Hindi, or the sound of a kana.
 */
const OMITTED =
  /[\p{Cf}\u0640]|(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]/gu;

const ASCII = /^[\0-\x7f]*$/;

/**
 * Returns a text as all searches compare it: two spellings of a word for which a person expects the same results are equal
 * (`Hôtel` and `hotel`, `STRASSE` and `straße`, `ＡＢＣ` and `abc`).
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(OMITTED, '')
    .replaceAll(REPLACED, (letter) => REPLACEMENTS.get(letter) ?? letter)
    .normalize('NFC');
}
