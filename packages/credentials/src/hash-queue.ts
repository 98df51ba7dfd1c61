/** The purpose of a hash. Logins run first, so that a flood of sign-ups does not delay them. */
export type HashPriority = 'login' | 'sign_up';

/** Each hash needs 19 MiB and a thread of the pool that the whole process shares. */
const CONCURRENCY = 2;
/** At about 50 hashes a second, this is a few seconds of work. */
const MAX_WAITING: Record<HashPriority, number> = { login: 200, sign_up: 20 };
const MAX_WAIT_MS = 10_000;

/** The hash was not started: too many are waiting, or it waited too long. */
export class HashQueueFullError extends Error {
  override readonly name = 'HashQueueFullError';
}

interface Entry {
  start(): void;
}

const waiting: Record<HashPriority, Set<Entry>> = { login: new Set(), sign_up: new Set() };
let running = 0;

/**
 * Runs the work when a place is free.
 *
 * @throws HashQueueFullError if the work was not started
 */
export async function runInHashQueue<T>(
  priority: HashPriority,
  work: () => Promise<T>,
): Promise<T> {
  if (running < CONCURRENCY) running += 1;
  else await waitForTurn(waiting[priority], MAX_WAITING[priority]);
  try {
    return await work();
  } finally {
    startNext();
  }
}

function waitForTurn(queue: Set<Entry>, max: number): Promise<void> {
  if (queue.size >= max) {
    return Promise.reject(new HashQueueFullError(`more than ${max} password hashes are waiting`));
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      queue.delete(entry);
      reject(new HashQueueFullError(`a password hash did not start within ${MAX_WAIT_MS} ms`));
    }, MAX_WAIT_MS);
    const entry: Entry = {
      start() {
        clearTimeout(timer);
        resolve();
      },
    };
    queue.add(entry);
  });
}

/** Starts the next entry in the place of the finished one, so that no new request takes the place. */
function startNext(): void {
  for (const queue of [waiting.login, waiting.sign_up]) {
    const [next] = queue;
    if (next === undefined) continue;
    queue.delete(next);
    next.start();
    return;
  }
  running -= 1;
}
