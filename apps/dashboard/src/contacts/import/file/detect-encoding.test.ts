import { expect, test } from 'vitest';
import { detectEncoding } from './detect-encoding.ts';
import { type Encoding, decode } from './encodings.ts';

/** Encodes a text in an encoding that `TextEncoder` does not have, by decoding each one and two bytes. */
function encode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const codes = new Map<string, number[]>();
  const add = (bytes: number[]): void => {
    const character = decode(Uint8Array.from(bytes), encoding);
    if ([...character].length === 1 && character !== '\uFFFD' && !codes.has(character))
      codes.set(character, bytes);
  };
  for (let first = 0; first < 256; first += 1) add([first]);
  for (let first = 0x81; first < 0xff; first += 1)
    for (let second = 0x40; second < 0xff; second += 1) add([first, second]);
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const bytes = codes.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

const NAMES: readonly (readonly [Encoding, string])[] = [
  ['windows-1252', 'Zoë Müller;René Lefèvre;José Núñez;Jürgen Groß'],
  ['windows-1252', 'Müller'],
  ['windows-1252', 'Françoise Bérénice'],
  ['windows-1252', 'João Gonçalves;Conceição Simões'],
  ['windows-1252', 'Søren Kjær;Åse Bjørnsdóttir'],
  ['macintosh', 'Zoë Müller;René Lefèvre;José Núñez'],
  ['macintosh', 'Jürgen Groß;Käthe Schröder'],
  ['windows-1250', 'Łukasz Wiśniewski;Małgorzata Żółć'],
  ['windows-1250', 'Dvořák;Jiří Němec;Růžička'],
  ['windows-1250', 'Szőke Tünde;Győző Őry'],
  ['iso-8859-2', 'Łukasz Wiśniewski;Ślązak Ścibor;Dąbrowska'],
  ['windows-1251', 'Иван Петров;Мария Сидорова'],
  ['windows-1251', 'Оксана Гнатюк;Юлія Ковальчук'],
  ['koi8-r', 'Иван Петров;Мария Сидорова'],
  ['ibm866', 'Иван Петров;Мария Сидорова'],
  ['windows-1253', 'Γιώργος Παπαδόπουλος;Ελένη'],
  ['windows-1254', 'Çağrı Şahin;Ayşe Yıldız;Gülşah İnce'],
  ['windows-1255', 'יוסף כהן;מרים לוי'],
  ['windows-1256', 'محمد الأحمد;فاطمة حسن'],
  ['windows-1257', 'Žemaitė Šimkutė;Ąžuolas;Jonas Žukauskas'],
  ['windows-874', 'สมชาย ใจดี;สมหญิง รักไทย'],
  ['shift_jis', '山田 太郎;鈴木 花子;ヤマダ タロウ'],
  ['shift_jis', '氏名,電話番号;佐藤 一郎'],
  ['shift_jis', 'ﾔﾏﾀﾞ ﾀﾛｳ;山田太郎'],
  ['euc-jp', '山田 太郎;すずき はなこ;ヤマダ'],
  ['euc-kr', '김철수;이영희;박지성;전화번호'],
  ['gb18030', '王小明;李娜;张伟;姓名,手机号码'],
  ['big5', '王小明;陳美玲;張偉;姓名,手機號碼'],
];

test.each(NAMES)(
  'a table in %s with the names %s is decoded as it was written',
  (encoding, names) => {
    const text = `name;phone\r\n${names
      .split(';')
      .map((name, at) => `${name};+4915112345${at}78\r\n`)
      .join('')}`;
    const bytes = encode(text, encoding);
    const detected = detectEncoding(bytes, 'en-US');
    expect([detected, decode(bytes, detected)]).toEqual([encoding, text]);
  },
);

const TEXT = 'phone;name\r\n+4915112345678;Zoë Müller\r\n+4915112345679;王小明\r\n';
const wide = Buffer.from(TEXT, 'utf16le');

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16 LE with a byte order mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['UTF-16 BE with a byte order mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16()],
  ['UTF-16 LE without a byte order mark', wide],
  ['UTF-16 BE without a byte order mark', Buffer.from(wide).swap16()],
])('a table in %s is decoded as it was written', (_encoding, content) => {
  const bytes = new Uint8Array(content);
  expect(decode(bytes, detectEncoding(bytes, 'en-US'))).toBe(TEXT);
});

test('a few bytes of another encoding do not change the letters of a table in UTF-8', () => {
  const bytes = new Uint8Array(
    Buffer.concat([Buffer.from(TEXT.repeat(10)), Buffer.from('Zo\u00EB', 'latin1')]),
  );
  expect(detectEncoding(bytes, 'en-US')).toBe('utf-8');
});

test('the language of the person decides between encodings that explain a table equally well', () => {
  const bytes = encode('name\nŠárka Žáková', 'windows-1250');
  expect(detectEncoding(bytes, 'cs-CZ')).toBe('windows-1250');
});
