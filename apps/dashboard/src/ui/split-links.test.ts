import { expect, test } from 'vitest';
import { splitLinks } from './split-links.ts';

const partsOf = (text: string) => splitLinks(text).filter(({ href }) => href !== null);
const linksIn = (text: string) => partsOf(text).map((part) => part.text);

test.each([
  ['See https://example.com/a?b=1.', ['https://example.com/a?b=1']],
  ['(http://example.com/x)', ['http://example.com/x']],
  ['https://a.example, https://b.example', ['https://a.example', 'https://b.example']],
  ['Track it at example.com/track, thanks', ['example.com/track']],
  ['https:// without an address', []],
])('the links in the text %j are %j', (text, links) => {
  expect(linksIn(text)).toEqual(links);
  expect(
    splitLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

test.each([
  'https://en.wikipedia.org/wiki/Tree_(data_structure)',
  'https://example.com/a_(b)_(c)/[d]?e={f}',
  'https://example.com/((nested)_brackets)',
])('balanced brackets are part of the link %s, with and without brackets around it', (link) => {
  for (const text of [link, `(see ${link})`, `[${link}].`]) expect(linksIn(text)).toEqual([link]);
});

test.each([
  ['詳細はhttps://example.com/a。次は', 'https://example.com/a'],
  ['请看：https://example.com/b，谢谢', 'https://example.com/b'],
  ['「https://example.com/c」', 'https://example.com/c'],
  ['（example.com/d）', 'example.com/d'],
  ['【视频】 http://t.cn/RZwjG7U（分享自 @酷6网）', 'http://t.cn/RZwjG7U'],
  [
    '网址2（http://foo.example/blah_(wikipedia)_(again)）',
    'http://foo.example/blah_(wikipedia)_(again)',
  ],
  ['当当网http://t.cn/RUy3HJN《一尺闲梦》亚马逊', 'http://t.cn/RUy3HJN'],
  ['“https://example.com/e”', 'https://example.com/e'],
  ['انظر https://example.com/f؟', 'https://example.com/f'],
  ['https://example.com／g@evil.example', 'https://example.com'],
])('punctuation of another script ends the link in %j', (text, link) => {
  expect(linksIn(text)).toEqual([link]);
});

test.each([
  ['https://example.com/xをご覧ください', 'https://example.com/x'],
  ['点击 http://t.cn/RUy3HJN领取红包', 'http://t.cn/RUy3HJN'],
  ['https://example.com/x?id=12를 확인하세요', 'https://example.com/x?id=12'],
  ['ดูที่ https://example.com/x1นะคะ', 'https://example.com/x1'],
  ['https://example.com/%E7%A2%BAを開く', 'https://example.com/%E7%A2%BA'],
  ['https://example.comをご覧ください', 'https://example.com'],
  ['example.com/aです', 'example.com/a'],
  ['example.comで', 'example.com'],
  ['https://example.com/x・カタログ', 'https://example.com/x'],
  ['https://example.com:8080です。', 'https://example.com:8080'],
])('a word of a script without spaces ends the link in %j', (text, link) => {
  expect(linksIn(text)).toEqual([link]);
  expect(
    splitLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

test.each([
  'https://ja.wikipedia.org/wiki/確認',
  'https://ja.wikipedia.org/wiki/確認NHK確認',
  'https://ja.wikipedia.org/wiki/Tick,_tick_チック',
  'https://example.com/search?q=確認&lang=ja',
  'https://寿司sushi.jp/一',
  'https://sushi屋.jp',
  'https://ko.wikipedia.org/wiki/서울특별시#역사',
  'https://th.wikipedia.org/wiki/กรุงเทพมหานคร',
  'https://ru.wikipedia.org/wiki/Windows_Ядро',
])('%s is one link to its end', (link) => {
  expect(linksIn(`→ ${link} ←`)).toEqual([link]);
});

test.each([
  ['https://pаypal.com/login', 'https://xn--pypal-4ve.com/login'],
  ['https://аррӏе.com', 'https://xn--80ak6aa92e.com'],
  ['gооgle.com/a', 'xn--ggle-55da.com/a'],
  ['https://ΑΡΡLΕ.com', 'https://xn--l-ylbn0ca.com'],
  ['https://ɡoogle.com', 'https://xn--oogle-qmc.com'],
  ['https://ｇoogle.com', 'https://google.com'],
  ['http://3232235777/', 'http://192.168.1.1/'],
  ['https://paypal.com@evil.example/login', 'https://evil.example/login'],
  ['https://paypal.com:443@еvil.com/', 'https://xn--vil-qdd.com/'],
])('the host of %s is shown as %s, and the original as a tooltip', (text, shown) => {
  expect(partsOf(text)).toMatchObject([{ text: shown, written: text }]);
});

test.each([
  'https://пример.рф/путь',
  'https://日本語.jp/一',
  'https://한국.example',
  'https://münchen.de',
  'https://faß.de',
  'https://xn--pypal-4ve.com',
  'HTTPS://EXAMPLE.com:8080/a@b',
])('the host of %s cannot be taken for another one and is shown as it is', (text) => {
  expect(linksIn(text)).toEqual([text]);
});

test.each([
  ['https://example.com/\u202Egpj.exe', ['https://example.com/']],
  ['https://example.com\u2067/a', ['https://example.com']],
  ['https://example.com/a\u200Bb', ['https://example.com/a']],
])('a character without a glyph ends the link in %j', (text, links) => {
  expect(linksIn(text)).toEqual(links);
});

test('only addresses of the web are links', () => {
  const text =
    'javascript:alert(1) data:text/html,x ftp://x.com //x.com mailto:a@x.com b.info@x.com a.zip';
  expect(linksIn(text)).toEqual([]);
});
