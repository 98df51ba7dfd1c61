import { expect, test } from 'vitest';
import { splitLinks } from './split-links.ts';

const linksIn = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? []);

test.each([
  ['See https://example.com/a?b=1.', ['https://example.com/a?b=1']],
  ['(http://example.com/x)', ['http://example.com/x']],
  ['https://a.example, https://b.example', ['https://a.example', 'https://b.example']],
  ['javascript:alert(1) data:text/html,x ftp://x', []],
  ['https:// without an address', []],
])('the links in the text %j are %j', (text, links) => {
  expect(linksIn(text)).toEqual(links);
  expect(
    splitLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
