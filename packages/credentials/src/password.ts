import { hash, verify } from '@node-rs/argon2';
import { type HashPriority, runInHashQueue } from './hash-queue.ts';

// argon2id is the library's default. Its enum can't be used with our compiler options.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Verified if the account does not exist, so that both cases take the same time. */
const DUMMY_HASH = runInHashQueue('login', () => hash('no account has this password', OPTIONS));

/**
 * Returns the argon2id hash of a password, in the PHC string format.
 *
 * @throws HashQueueFullError if too many hashes are waiting
 */
export function hashPassword(password: string, priority: HashPriority = 'login'): Promise<string> {
  return runInHashQueue(priority, () => hash(password, OPTIONS));
}

/**
 * Verifies a password. If there is no hash, it takes the same time and returns false.
 *
 * @throws HashQueueFullError if too many hashes are waiting
 */
export function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return runInHashQueue('login', async () => {
    const matches = await verify(passwordHash ?? (await DUMMY_HASH), password);
    return matches && passwordHash !== null;
  });
}
