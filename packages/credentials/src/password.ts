import { hash, verify } from '@node-rs/argon2';

export const PASSWORD_MIN_BYTES = 12;
/** A longer password would only cost us time. */
export const PASSWORD_MAX_BYTES = 256;

// The library's default algorithm is argon2id; its enum can't be named under our compiler options.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes under way at one time; each takes 19 MiB and a thread that the whole process shares. */
const CONCURRENCY = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (running < CONCURRENCY) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    // Whoever waits takes the place over, so that nobody else can slip into it in between.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** Verified against where the account is unknown, so that both cases take the same time. */
const DUMMY_HASH = bounded(() => hash('no account has this password', OPTIONS));

/** The argon2id hash of a password, in PHC string form. */
export function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(password, OPTIONS));
}

/** False, and as slow, when there is no hash to verify against. */
export function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return bounded(async () => {
    const matches = await verify(passwordHash ?? (await DUMMY_HASH), password);
    return matches && passwordHash !== null;
  });
}
