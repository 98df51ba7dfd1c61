/** Why everything ends: asked for (code 0), or a failure told in one sentence. */
export interface End {
  exitCode: number;
  reason: string;
}

export interface Ending {
  begun: Promise<End>;
  begin(end: End): void;
  /** The promise's result, unless the end begins first: then it throws what began it. */
  unlessBegun<T>(promise: Promise<T>): Promise<T>;
  /** Calls back on every further request to end that is not a repeat of the one before. */
  onImpatience(force: () => void): void;
  /** Gives the signals back. */
  release(): void;
}

export class EndingError extends Error {
  readonly end: End;

  constructor(end: End) {
    super(end.reason);
    this.end = end;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * One Ctrl-C arrives twice: the terminal signals every process of its foreground group, and npm
 * forwards its own copy to the program that it runs. So does a `kill` of the whole group.
 */
const REPEAT_MS = 2_000;

/** One place where every reason to end arrives, be it a signal or a dead child; the first counts. */
export function createEnding(): Ending {
  let first: End | undefined;
  let force: (() => void) | undefined;
  let requestedAt = -Infinity;
  let resolveBegun: (end: End) => void = () => undefined;
  const begun = new Promise<End>((resolve) => {
    resolveBegun = resolve;
  });

  function begin(end: End): void {
    first ??= end;
    resolveBegun(first);
  }

  function onSignal(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (now - requestedAt < REPEAT_MS) return;
    requestedAt = now;
    if (first !== undefined) force?.();
    begin({ exitCode: 0, reason: signal });
  }

  function onClosedOutput(): void {
    begin({ exitCode: 1, reason: 'nobody reads the output any more' });
  }

  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.stdout.on('error', onClosedOutput);
  process.stderr.on('error', onClosedOutput);
  return {
    begun,
    begin,
    unlessBegun(promise) {
      const ended = begun.then((end) => {
        throw new EndingError(end);
      });
      return Promise.race([ended, promise]);
    },
    onImpatience(callback) {
      force = callback;
    },
    release() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
