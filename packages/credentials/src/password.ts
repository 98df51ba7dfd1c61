import { hash, verify } from '@node-rs/argon2';
import { type HashPriority, runInHashQueue } from './hash-queue.ts';

export const PASSWORD_MIN_BYTES = 12;
/** A longer password would only cost us time. */
export const PASSWORD_MAX_BYTES = 256;

// The library's default algorithm is argon2id; its enum can't be named under our compiler options.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Verified against where the account is unknown, so that both cases take the same time. */
const DUMMY_HASH = runInHashQueue('login', () => hash('no account has this password', OPTIONS));

/**
 * Returns the argon2id hash of a password, in PHC string form.
 *
 * @throws HashQueueFullError when too many wait
 */
export function hashPassword(password: string, priority: HashPriority = 'login'): Promise<string> {
  return runInHashQueue(priority, () => hash(password, OPTIONS));
}

/**
 * Returns false, and takes as long, when there is no hash to verify against.
 *
 * @throws HashQueueFullError when too many wait
 */
export function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return runInHashQueue('login', async () => {
    const matches = await verify(passwordHash ?? (await DUMMY_HASH), password);
    return matches && passwordHash !== null;
  });
}
