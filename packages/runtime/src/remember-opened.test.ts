import { expect, test } from 'vitest';
import { rememberOpened } from './remember-opened.ts';
import { SecretBoxError, createSecretBox } from './secret-box.ts';

const box = createSecretBox(Buffer.alloc(32, 7).toString('base64'));
const owner = { workspaceId: 'one', field: 'auth_token' };

function countOpenings() {
  const counted = { openings: 0 };
  const open: typeof box.open = (sealed, of) => {
    counted.openings += 1;
    return box.open(sealed, of);
  };
  return { counted, remembering: rememberOpened({ open }) };
}

test('a sealed text is decrypted once, and a newer text of the same owner separately', () => {
  const { counted, remembering } = countOpenings();
  const [first, second] = [box.seal('first', owner), box.seal('second', owner)];
  for (let i = 0; i < 3; i += 1) expect(remembering.open(first, owner)).toBe('first');
  expect(remembering.open(second, owner)).toBe('second');
  expect(counted.openings).toBe(2);
});

test('a text that was opened for one owner and field is not opened for others', () => {
  const { remembering } = countOpenings();
  const sealed = box.seal('secret', owner);
  remembering.open(sealed, owner);
  expect(() => remembering.open(sealed, { ...owner, workspaceId: 'two' })).toThrow(SecretBoxError);
  expect(() => remembering.open(sealed, { ...owner, field: 'other' })).toThrow(SecretBoxError);
});

test('the cache removes the oldest of more than 1,000 opened texts', () => {
  const { counted, remembering } = countOpenings();
  const texts = Array.from({ length: 1_001 }, (_, number) => box.seal(String(number), owner));
  for (const text of texts) remembering.open(text, owner);
  remembering.open(texts[1_000] ?? '', owner);
  expect(counted.openings).toBe(1_001);
  remembering.open(texts[0] ?? '', owner);
  expect(counted.openings).toBe(1_002);
});
