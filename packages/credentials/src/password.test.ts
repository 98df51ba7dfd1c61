import { expect, test, vi } from 'vitest';
import { hashPassword, verifyPassword } from './index.ts';

const argon2 = vi.hoisted(() => ({ running: 0, most: 0 }));

vi.mock(import('@node-rs/argon2'), async (importOriginal) => {
  const real = await importOriginal();
  async function counted<T>(work: Promise<T>): Promise<T> {
    argon2.running += 1;
    argon2.most = Math.max(argon2.most, argon2.running);
    try {
      return await work;
    } finally {
      argon2.running -= 1;
    }
  }
  return {
    ...real,
    hash: (...input) => counted(real.hash(...input)),
    verify: (...input) => counted(real.verify(...input)),
  };
});

test('at most two password hashes run at a time, because each needs 19 MiB and a thread', async () => {
  const hashed = await hashPassword('a password');
  argon2.most = 0;
  await Promise.all([
    ...Array.from({ length: 8 }, () => verifyPassword(hashed, 'another password')),
    ...Array.from({ length: 8 }, () => verifyPassword(null, 'a password')),
    ...Array.from({ length: 8 }, () => hashPassword('a password')),
  ]);
  expect(argon2.most).toBe(2);
});
