export interface BatchOptions<In, Out> {
  /** Gets at most `maxSize` items, and answers in the same order. A rejection fails the batch's items. */
  run(items: readonly In[]): Promise<readonly Out[]>;
  maxSize: number;
  /** Batches under way at one time. 1 is group commit: what arrives meanwhile shares the next. */
  concurrency: number;
  /** Items waiting beyond this are refused with `BatchFullError`, before anything is done. */
  maxWaiting: number;
}

export class BatchFullError extends Error {
  override readonly name = 'BatchFullError';
}

/**
 * Group commit: calls that arrive while a batch is running share the next one, so a round trip is
 * paid once for many. Idle, a call starts when the sockets that were readable with its own have been
 * read, without a timer: so what came in together shares even the first batch.
 */
export function createBatch<In, Out>(options: BatchOptions<In, Out>) {
  interface Waiting {
    item: In;
    resolve(value: Out): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let running = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || running >= options.concurrency || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (running < options.concurrency && waiting.length > 0) {
        const taken = waiting.slice(0, options.maxSize);
        waiting = waiting.slice(options.maxSize);
        void runBatch(taken);
      }
    });
  }

  async function runBatch(taken: readonly Waiting[]): Promise<void> {
    running += 1;
    try {
      const results = await options.run(taken.map((entry) => entry.item));
      if (results.length !== taken.length) {
        throw new Error(`batch answered ${results.length} of ${taken.length} items`);
      }
      // Same length, checked above; a result may itself be undefined.
      taken.forEach((entry, index) => entry.resolve(results[index] as Out));
    } catch (error) {
      for (const entry of taken) entry.reject(error);
    } finally {
      running -= 1;
      schedule();
    }
  }

  return function add(item: In): Promise<Out> {
    if (waiting.length >= options.maxWaiting) {
      return Promise.reject(new BatchFullError(`more than ${options.maxWaiting} are waiting`));
    }
    return new Promise<Out>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
  };
}
