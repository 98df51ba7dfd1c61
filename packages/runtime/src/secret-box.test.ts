import { expect, test } from 'vitest';
import { createSecretBox, SecretBoxError } from './secret-box.ts';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');
const owner = { workspaceId: 'w1', field: 'auth_token' };

test('a sealed text can be opened, and sealing a text twice gives two different results', () => {
  const box = createSecretBox(OLD);
  for (const text of ['token', '', 'žluťoučký 🐎']) {
    const sealed = box.seal(text, owner);
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]*\.[\w-]{22}$/);
    expect(box.open(sealed, owner)).toBe(text);
    expect(box.seal(text, owner)).not.toBe(sealed);
  }
});

test('a sealed text with one altered character is refused', () => {
  const box = createSecretBox(`2:${NEW},1:${OLD}`);
  const sealed = box.seal('the token of a workspace', owner);
  for (let at = 0; at < sealed.length; at += 1) {
    // Flips the highest of the six bits, which every position of base64url uses.
    const replacement = sealed[at] === 'A' ? 'g' : 'A';
    const altered = sealed.slice(0, at) + replacement + sealed.slice(at + 1);
    expect(() => box.open(altered, owner), altered).toThrow(SecretBoxError);
  }
});

test('a shortened authentication tag is refused', () => {
  const box = createSecretBox(OLD);
  const sealed = box.seal('token', owner);
  expect(() => box.open(sealed.slice(0, -6), owner)).toThrow('malformed');
});

test('a secret can only be opened for its own workspace and field', () => {
  const box = createSecretBox(OLD);
  const sealed = box.seal('token', owner);
  expect(() => box.open(sealed, { ...owner, workspaceId: 'w2' })).toThrow(SecretBoxError);
  expect(() => box.open(sealed, { ...owner, field: 'other' })).toThrow(SecretBoxError);
});

test('after a rotation the new key seals, and the old key still opens', () => {
  const before = createSecretBox(OLD).seal('token', owner);
  const rotated = createSecretBox(`2:${NEW},1:${OLD}`);
  expect(rotated.open(before, owner)).toBe('token');
  const after = rotated.seal('token', owner);
  expect(after.startsWith('v2.')).toBe(true);
  expect(createSecretBox(`2:${NEW}`).open(after, owner)).toBe('token');
  expect(() => createSecretBox(`2:${NEW}`).open(before, owner)).toThrow('version 1');
});

test('a text is sealed with the first key that all processes that must open it have', () => {
  const both = createSecretBox(`2:${NEW},1:${OLD}`);
  const old = createSecretBox(OLD);
  const other = createSecretBox(`2:${Buffer.alloc(32, 3).toString('base64')},1:${OLD}`);
  const sealFor = (...readers: { keyIds: readonly string[] }[]) =>
    both.seal(
      'token',
      owner,
      readers.map(({ keyIds }) => keyIds),
    );
  expect(sealFor(both)).toMatch(/^v2\./);
  expect(old.open(sealFor(both, old), owner)).toBe('token');
  // A key of the same version with other bytes is a different key.
  expect(other.open(sealFor(both, other), owner)).toBe('token');
  expect(sealFor({ keyIds: [] })).toMatch(/^v2\./);
});

test('a key that is not 32 bytes is refused with an error that does not repeat it', () => {
  expect(() => createSecretBox('c2VjcmV0')).toThrow(/^((?!c2VjcmV0).)*$/);
});
