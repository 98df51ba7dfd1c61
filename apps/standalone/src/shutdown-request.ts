/** The exit code, which is 0 for a requested shutdown, and the reason in one sentence. */
export interface ShutdownReason {
  exitCode: number;
  reason: string;
}

export interface ShutdownRequest {
  requested: Promise<ShutdownReason>;
  /** The first request determines the reason. */
  request(reason: ShutdownReason): void;
  /** Resolves with the promise, or throws `ShutdownError` if a shutdown is requested first. */
  unlessRequested<T>(promise: Promise<T>): Promise<T>;
  /** Calls `force` on further requests, except repetitions of the same Ctrl-C. */
  onSecondRequest(force: () => void): void;
  /** Removes the signal handlers. */
  release(): void;
}

export class ShutdownError extends Error {
  readonly shutdown: ShutdownReason;

  constructor(shutdown: ShutdownReason) {
    super(shutdown.reason);
    this.shutdown = shutdown;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * One Ctrl-C arrives twice: the terminal signals every process of the foreground group, and npm
 * forwards its own signal to the program. A `kill` of the whole group does the same.
 */
const REPEAT_MS = 2_000;

/** Collects all reasons to shut down: signals, exited child processes, a closed output. */
export function createShutdownRequest(): ShutdownRequest {
  let first: ShutdownReason | undefined;
  let force: (() => void) | undefined;
  let requestedAt = -Infinity;
  let resolveRequested: (reason: ShutdownReason) => void = () => undefined;
  const requested = new Promise<ShutdownReason>((resolve) => {
    resolveRequested = resolve;
  });

  function request(reason: ShutdownReason): void {
    first ??= reason;
    resolveRequested(first);
  }

  function onSignal(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (now - requestedAt < REPEAT_MS) return;
    requestedAt = now;
    if (first !== undefined) force?.();
    request({ exitCode: 0, reason: signal });
  }

  function onClosedOutput(): void {
    request({ exitCode: 1, reason: 'The output has been closed.' });
  }

  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.stdout.on('error', onClosedOutput);
  process.stderr.on('error', onClosedOutput);
  return {
    requested,
    request,
    unlessRequested(promise) {
      const failed = requested.then((reason) => {
        throw new ShutdownError(reason);
      });
      return Promise.race([failed, promise]);
    },
    onSecondRequest(callback) {
      force = callback;
    },
    release() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
