/** Who waits for a hash. Logins are served first: a flood of sign-ups must not delay them. */
export type HashPriority = 'login' | 'sign_up';

/** Each hash takes 19 MiB and a thread that the whole process shares. */
const CONCURRENCY = 2;
/** At some 50 hashes a second, a few seconds' worth. */
const WAITING_MAX: Record<HashPriority, number> = { login: 200, sign_up: 20 };
const WAIT_MAX_MS = 10_000;

/** The hash was not begun: too many wait, or this one waited too long. */
export class HashQueueFullError extends Error {
  override readonly name = 'HashQueueFullError';
}

interface Entry {
  start(): void;
}

const waiting: Record<HashPriority, Set<Entry>> = { login: new Set(), sign_up: new Set() };
let running = 0;

/** @throws HashQueueFullError when the work is not begun. */
export async function runInHashQueue<T>(
  priority: HashPriority,
  work: () => Promise<T>,
): Promise<T> {
  if (running < CONCURRENCY) running += 1;
  else await waitForTurn(waiting[priority], WAITING_MAX[priority]);
  try {
    return await work();
  } finally {
    startNext();
  }
}

function waitForTurn(queue: Set<Entry>, max: number): Promise<void> {
  if (queue.size >= max) {
    return Promise.reject(new HashQueueFullError(`more than ${max} passwords wait for a hash`));
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      queue.delete(entry);
      reject(new HashQueueFullError(`a password waited ${WAIT_MAX_MS} ms for a hash`));
    }, WAIT_MAX_MS);
    const entry: Entry = {
      start() {
        clearTimeout(timer);
        resolve();
      },
    };
    queue.add(entry);
  });
}

/** The next entry takes the finished one's place, so that no newcomer gets in between. */
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
