interface Closable {
  close(): Promise<unknown>;
}

/** What a run has opened, to be closed in the end, whenever and however that comes. */
export interface Closers {
  /** Opens something that is closed by its own `close`, or by this one. Rejects once closing has begun. */
  open<T extends Closable>(open: () => Promise<T>): Promise<T>;
  open<T>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): Promise<T>;
  /**
   * Undoes everything, the latest first, what is still being opened too, and whatever fails on the
   * way: the first failure is thrown at the end. Any number of calls.
   */
  close(): Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => Promise<unknown>)[] = [];
  let closed: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    const results: PromiseSettledResult<unknown>[] = [];
    for (const closer of closers.toReversed()) {
      results.push(...(await Promise.allSettled([closer()])));
    }
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async function open<T>(
    begin: () => Promise<T>,
    close = (opened: T): Promise<unknown> => (opened as T & Closable).close(),
  ): Promise<T> {
    if (closed !== null) throw new Error('Everything is being closed.');
    const opening = begin();
    // What could not be opened has undone itself.
    closers.push(() => opening.then(close, () => undefined));
    return opening;
  }

  return { open, close: () => (closed ??= closeAll()) };
}
