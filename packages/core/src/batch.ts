interface BatchLimits {
  maxSize: number;
  /** The maximum number of concurrent batches. 1 is group commit: later calls share the next batch. */
  concurrency: number;
  /**
   * The time after the start of a batch in which no second batch starts, in milliseconds. Default:
   * 0.
   */
  besideAfterMs?: number;
  /**
   * If at least this many items have arrived while no batch was running, the first batch takes only
   * half of them. Callers that send their next call after a result would otherwise synchronize: all
   * of them would share one batch, and no calls would arrive while it runs. With two halves, one
   * half runs while the callers of the other half prepare their next calls. By default, the first
   * batch takes all items.
   */
  halvesFrom?: number;
  /**
   * The maximum number of waiting items. Further items are rejected with `BatchFullError`, without
   * any effect.
   */
  maxWaiting: number;
  /**
   * For busy times: after a batch with `from` items or more has ended, the next one starts `ms` later,
   * or as soon as it is full. Fewer, larger batches cost less. After a smaller batch there is no delay.
   */
  gather?: { from: number; ms: number };
}

/** A call to the database, the queue or the bus costs as much as about twenty items in it. */
export const GATHER_WHEN_BUSY = { from: 16, ms: 10 };

export interface BatchOptions<In, Out> extends BatchLimits {
  /**
   * Receives at most `maxSize` items, and returns their results in the same order. A rejection rejects
   * all items of the batch.
   */
  run(items: readonly In[]): Promise<readonly Out[]>;
}

export interface BackgroundBatchOptions<In> extends BatchLimits {
  /** Receives at most `maxSize` items. */
  run(items: readonly In[]): Promise<void>;
  /** Called with items that were rejected because the queue was full, or whose batch failed. */
  onFailed(error: unknown, items: readonly In[]): void;
}

export class BatchFullError extends Error {
  override readonly name = 'BatchFullError';
}

/**
 * Creates a function that collects calls into batches (group commit): calls that arrive while a batch
 * is running share the next one, so that one round trip serves many. When idle, a batch starts after
 * the event loop has read all sockets that were readable together, without a timer, so calls that
 * arrived together share even the first batch.
 */
export function createBatch<In, Out>(options: BatchOptions<In, Out>) {
  interface Waiting {
    item: In;
    resolve(value: Out): void;
    reject(error: unknown): void;
  }
  const push = createQueue<Waiting>({
    ...options,
    async run(taken) {
      try {
        const results = await options.run(taken.map((entry) => entry.item));
        if (results.length !== taken.length) {
          throw new Error(`batch returned ${results.length} results for ${taken.length} items`);
        }
        // Every entry has a result, because the lengths are equal. The result itself may be undefined.
        taken.forEach((entry, index) => entry.resolve(results[index] as Out));
      } catch (error) {
        for (const entry of taken) entry.reject(error);
      }
    },
  });

  return function add(item: In): Promise<Out> {
    return new Promise<Out>((resolve, reject) => {
      if (!push({ item, resolve, reject })) reject(fullError(options));
    });
  };
}

/** Works like `createBatch` for items without a result, and saves a promise for each item. */
export function createBackgroundBatch<In>(options: BackgroundBatchOptions<In>) {
  const push = createQueue<In>({
    ...options,
    async run(items) {
      try {
        await options.run(items);
      } catch (error) {
        options.onFailed(error, items);
      }
    },
  });

  return function add(item: In): void {
    if (!push(item)) options.onFailed(fullError(options), [item]);
  };
}

function fullError({ maxWaiting }: BatchLimits): BatchFullError {
  return new BatchFullError(`more than ${maxWaiting} items are waiting`);
}

/** Creates a queue. `run` must not reject. The returned function returns false if the queue is full. */
function createQueue<Entry>(
  options: BatchLimits & { run(entries: readonly Entry[]): Promise<void> },
): (entry: Entry) => boolean {
  const { maxSize, concurrency, besideAfterMs = 0, halvesFrom = Infinity } = options;
  let waiting: Entry[] = [];
  let running = 0;
  let scheduled = false;
  /** Whether no item was waiting when the last batch ended. */
  let wasIdle = true;
  /** Set while items are gathered for the next batch. */
  let gathering: ReturnType<typeof setTimeout> | null = null;
  /** Set while no second batch may start beside the last one. */
  let besideTimer: ReturnType<typeof setTimeout> | null = null;

  function mayStart(): boolean {
    return waiting.length > 0 && running < concurrency && besideTimer === null;
  }

  function schedule(): void {
    if (scheduled || !mayStart()) return;
    if (gathering !== null) {
      if (waiting.length < maxSize) return;
      clearTimeout(gathering);
      gathering = null;
    }
    scheduled = true;
    setImmediate(start);
  }

  function gather(ms: number): void {
    gathering = setTimeout(() => {
      gathering = null;
      schedule();
    }, ms);
  }

  function start(): void {
    scheduled = false;
    while (mayStart()) {
      const isHalf = wasIdle && waiting.length >= halvesFrom;
      const size = Math.min(maxSize, isHalf ? Math.ceil(waiting.length / 2) : waiting.length);
      const taken = waiting.slice(0, size);
      waiting = waiting.slice(size);
      wasIdle = false;
      void runBatch(taken);
      if (besideAfterMs > 0) besideTimer = setTimeout(allowBeside, besideAfterMs);
    }
  }

  function allowBeside(): void {
    if (besideTimer !== null) clearTimeout(besideTimer);
    besideTimer = null;
    schedule();
  }

  async function runBatch(taken: readonly Entry[]): Promise<void> {
    running += 1;
    try {
      await options.run(taken);
    } finally {
      running -= 1;
      wasIdle = running === 0 && waiting.length === 0;
      const busy = options.gather;
      if (busy !== undefined && taken.length >= busy.from && gathering === null) gather(busy.ms);
      if (running === 0) allowBeside();
      else schedule();
    }
  }

  return function push(entry) {
    if (waiting.length >= options.maxWaiting) return false;
    waiting.push(entry);
    schedule();
    return true;
  };
}
