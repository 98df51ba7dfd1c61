import type { Logger } from './logger.ts';

export interface ShutdownPhase {
  name: string;
  /** The phase is given up after this; the next one runs all the same. */
  timeoutMs: number;
  run(): Promise<unknown>;
}

export interface Shutdown {
  /**
   * Runs the phases and ends the process with code 1: for what nothing can go on after. Calls
   * after the first are logged and change nothing but the exit code.
   */
  shutdown(reason: string, error?: unknown): void;
}

/**
 * Ends the process in order: on SIGTERM, SIGINT or the end of the parent that started it over
 * IPC, with code 0 when every phase completed; on an uncaught failure with code 1. A second
 * signal ends it at once.
 */
export function createShutdown(options: {
  logger: Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>;
  phases: readonly ShutdownPhase[];
}): Shutdown {
  const { logger, phases } = options;
  let exitCode = 0;
  let begun = false;

  async function begin(reason: string): Promise<void> {
    if (begun) return;
    begun = true;
    logger.info({ reason }, 'shutting down');
    for (const phase of phases) {
      if (!(await runPhase(phase, logger))) exitCode = 1;
    }
    logger.info({ exit_code: exitCode }, 'shut down');
    process.exit(exitCode);
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (begun) {
      logger.warn({ signal }, 'second signal, exiting at once');
      process.exit(1);
    }
    void begin(signal);
  }

  function shutdown(reason: string, error?: unknown): void {
    exitCode = 1;
    logger.fatal({ err: error, reason }, 'fatal');
    void begin(reason);
  }

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', (error) => shutdown('uncaughtException', error));
  process.on('unhandledRejection', (error) => shutdown('unhandledRejection', error));
  // Only a process started with IPC has a parent to outlive.
  if (process.send !== undefined) {
    process.on('disconnect', () => void begin('the parent process is gone'));
    if (!process.connected) void begin('the parent process is gone');
  }
  return { shutdown };
}

async function runPhase(
  phase: ShutdownPhase,
  logger: Pick<Logger, 'info' | 'error'>,
): Promise<boolean> {
  const startedAt = performance.now();
  const timedOut = Symbol('timed out');
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(() => resolve(timedOut), phase.timeoutMs);
  });
  const fields = () => ({
    phase: phase.name,
    duration_ms: Math.round(performance.now() - startedAt),
  });
  try {
    // A late rejection of a phase that was given up is not a new failure.
    const result = await Promise.race([phase.run(), timeout]);
    if (result !== timedOut) {
      logger.info(fields(), 'shutdown phase done');
      return true;
    }
    logger.error(fields(), 'shutdown phase timed out');
  } catch (error) {
    logger.error({ ...fields(), err: error }, 'shutdown phase failed');
  } finally {
    clearTimeout(timer);
  }
  return false;
}
