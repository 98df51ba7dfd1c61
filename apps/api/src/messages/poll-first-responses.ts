import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

interface Poll {
  waiting: number;
  /** Null if polling ended without a response. */
  response: Promise<object | null>;
}

export type PollFirstResponse = ReturnType<typeof createPollFirstResponses>;

/**
 * Waits for the responses that requests with the same Idempotency-Key share. The database is
 * queried once per key and interval, however many requests of this process wait.
 */
export function createPollFirstResponses(options: {
  /** Whether this process is about to end, so that no request may wait. */
  isEnding(): boolean;
}) {
  const polls = new Map<string, Poll>();

  async function run(name: string, poll: Poll, find: () => Promise<object | null>) {
    try {
      while (poll.waiting > 0 && !options.isEnding()) {
        await delay(POLL_MS);
        const response = await find();
        if (response !== null) return response;
      }
      return null;
    } finally {
      if (polls.get(name) === poll) polls.delete(name);
    }
  }

  function join(name: string, find: () => Promise<object | null>): Poll {
    const known = polls.get(name);
    if (known !== undefined) {
      known.waiting += 1;
      return known;
    }
    const poll: Poll = { waiting: 1, response: Promise.resolve(null) };
    polls.set(name, poll);
    poll.response = run(name, poll, find);
    return poll;
  }

  /** Resolves with the result of `find`, or with null after `timeoutMs`. */
  return async function pollFirstResponse(
    key: { workspaceId: string; key: string },
    timeoutMs: number,
    find: () => Promise<object | null>,
  ): Promise<object | null> {
    if (timeoutMs <= 0) return null;
    const poll = join(`${key.workspaceId} ${key.key}`, find);
    const answered = new AbortController();
    const timeout = delay(timeoutMs, null, { signal: answered.signal }).catch(() => null);
    try {
      return await Promise.race([poll.response, timeout]);
    } finally {
      answered.abort();
      poll.waiting -= 1;
    }
  };
}
