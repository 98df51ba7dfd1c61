interface BatchLimits {
  maxSize: number;
  /** Batches under way at one time. 1 is group commit: what arrives meanwhile shares the next. */
  concurrency: number;
  /** Beside another, a batch starts only once that one has taken so long. Default: at once. */
  besideAfterMs?: number;
  /**
   * From so many on, only half goes of what has come while nothing was under way. Callers that ask
   * anew when they are answered would fall into step: all in one batch, and nobody asks while it
   * runs. In two halves, one's batch runs while the other is answered and asks. Default: all go.
   */
  halvesFrom?: number;
  /** Items waiting beyond this are refused with `BatchFullError`, before anything is done. */
  maxWaiting: number;
  /**
   * For busy times: once a batch had `from` items or more, the next begins no sooner than `ms` after
   * it, or when it is full. Fewer and larger batches cost less; after a small one nobody waits.
   */
  gather?: { from: number; ms: number };
}

/** A call of the database, the queue or the bus costs what some twenty items of it do. */
export const GATHER_WHEN_BUSY = { from: 16, ms: 10 };

export interface BatchOptions<In, Out> extends BatchLimits {
  /** Gets at most `maxSize` items, and answers in the same order. A rejection fails the batch's items. */
  run(items: readonly In[]): Promise<readonly Out[]>;
}

export interface BackgroundBatchOptions<In> extends BatchLimits {
  /** Gets at most `maxSize` items. */
  run(items: readonly In[]): Promise<void>;
  /** Told of items that were refused, or whose batch failed. */
  onFailed(error: unknown, items: readonly In[]): void;
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
  const push = createQueue<Waiting>({
    ...options,
    async run(taken) {
      try {
        const results = await options.run(taken.map((entry) => entry.item));
        if (results.length !== taken.length) {
          throw new Error(`batch answered ${results.length} of ${taken.length} items`);
        }
        // Same length, checked above; a result may itself be undefined.
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

/** As `createBatch`, where nobody waits for what becomes of an item: a promise for each is spared. */
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
  return new BatchFullError(`more than ${maxWaiting} are waiting`);
}

/** `run` must not reject. Pushing says whether the item was taken. */
function createQueue<Entry>(
  options: BatchLimits & { run(entries: readonly Entry[]): Promise<void> },
): (entry: Entry) => boolean {
  const { maxSize, concurrency, besideAfterMs = 0, halvesFrom = Infinity } = options;
  let waiting: Entry[] = [];
  let running = 0;
  let scheduled = false;
  /** Whether nobody waited when the last batch was done. */
  let wasIdle = true;
  /** While it lasts, more is gathered for the next batch, unless that is full. */
  let gathering: ReturnType<typeof setTimeout> | null = null;
  /** While it lasts, no batch starts beside the one that started last. */
  let patience: ReturnType<typeof setTimeout> | null = null;

  function mayStart(): boolean {
    return waiting.length > 0 && running < concurrency && patience === null;
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
      if (besideAfterMs > 0) patience = setTimeout(endPatience, besideAfterMs);
    }
  }

  function endPatience(): void {
    if (patience !== null) clearTimeout(patience);
    patience = null;
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
      if (running === 0) endPatience();
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
