import { expect, test } from 'vitest';
import {
  createApiKey,
  createInviteToken,
  createSessionToken,
  hashPassword,
  isApiKey,
  isSessionToken,
  verifyPassword,
} from './index.ts';

test('an API key with any single character changed fails its check digits', () => {
  const { key, prefix, last4 } = createApiKey();
  expect(isApiKey(key)).toBe(true);
  expect(key.startsWith(prefix)).toBe(true);
  expect(key.endsWith(last4)).toBe(true);
  for (let at = 4; at < key.length; at += 1) {
    const other = key[at] === 'a' ? 'b' : 'a';
    expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
});

test('an API key begins with the shard of its workspace, and keys have different prefixes', () => {
  expect(createApiKey().key).toMatch(/^swb_000/);
  expect(isApiKey(createApiKey({ shard: 0xabc }).key)).toBe(true);
  const prefixes = Array.from({ length: 20 }, () => createApiKey({ shard: 0xabc }).prefix);
  expect(prefixes.every((prefix) => /^swb_abc.{4}$/.test(prefix))).toBe(true);
  expect(new Set(prefixes).size).toBeGreaterThan(15);
});

test('API keys and tokens are never mistaken for each other', () => {
  expect(isApiKey(createSessionToken())).toBe(false);
  expect(isSessionToken(createApiKey().key)).toBe(false);
  expect(isSessionToken(createInviteToken())).toBe(false);
});

test('credentials use only letters, digits, dot, underscore and hyphen', () => {
  expect(createApiKey().key).toMatch(/^[A-Za-z0-9._-]+$/);
  expect(createSessionToken()).toMatch(/^[A-Za-z0-9._-]+$/);
  expect(createInviteToken()).toMatch(/^[A-Za-z0-9._-]+$/);
});

test('a password verifies only against its own argon2id hash', async () => {
  const hashed = await hashPassword('correct horse battery');
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hashed, 'correct horse battery')).toBe(true);
  expect(await verifyPassword(hashed, 'incorrect horse battery')).toBe(false);
  expect(await verifyPassword(null, 'no account has this password')).toBe(false);
});

test('all password hashes finish when more are requested than may run at a time', async () => {
  const hashes = await Promise.all(
    Array.from({ length: 6 }, (_, n) => hashPassword(`password ${n}`)),
  );
  expect(new Set(hashes).size).toBe(6);
});
