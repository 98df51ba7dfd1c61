interface Closable {
  close(): Promise<unknown>;
}

/** The resources of a run, which are all closed when the run ends. */
export interface Closers {
  /**
   * Opens a resource that is closed by its own `close` or by this one. Rejects once closing has
   * begun.
   */
  open<T extends Closable>(open: () => Promise<T>): Promise<T>;
  open<T>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): Promise<T>;
  /**
   * Closes all resources, latest first, including those that are being opened. Continues after an
   * error and throws the first one at the end. May be called several times.
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
    if (closed !== null) throw new Error('No resource can be opened: the run is closing.');
    const opening = begin();
    // A resource that failed to open has cleaned up after itself.
    closers.push(() => opening.then(close, () => undefined));
    return opening;
  }

  return { open, close: () => (closed ??= closeAll()) };
}
