import { expect, test } from 'vitest';
import { addContactRequest } from './contact.ts';
import { nameUpTo } from './text.ts';

const INVISIBLE = ['', ' ', '\u200B', '\uFEFF\u2060', ' \u00AD ', '\u3164', '\u0007', '\u{E0020}'];

test.each(INVISIBLE)('a name of only invisible characters is refused as empty: %j', (name) => {
  expect(nameUpTo(9).safeParse(name).error?.issues).toMatchObject([
    { message: 'must have 1 to 9 characters' },
  ]);
});

test.each(INVISIBLE)(
  'a contact with a name of only invisible characters has no name: %j',
  (name) => {
    expect(addContactRequest.parse({ number: '+14155550123', name }).name).toBe('');
  },
);

test.each(['a\u200Cb', '👩\u200D🚀', '。', '\u{1F3F4}\u{E0067}'])(
  'a name keeps the invisible characters between or after visible ones: %j',
  (name) => {
    expect(nameUpTo(9).parse(` ${name} `)).toBe(name);
  },
);
