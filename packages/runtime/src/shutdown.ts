import type { Logger } from './logger.ts';

export interface ShutdownPhase {
  name: string;
  /** After this time the phase is abandoned, and the next one runs. */
  timeoutMs: number;
  run(): Promise<unknown>;
}

export interface Shutdown {
  /**
   * Runs the phases and ends the process with code 1, after a failure from which it can't recover. A
   * later call is logged and changes only the exit code.
   */
  shutdown(reason: string, error?: unknown): void;
}

/**
 * Ends the process phase by phase: with code 0 after SIGTERM, SIGINT or the end of the parent that
 * started it with IPC, if every phase completes; with code 1 after an uncaught error. A second
 * signal ends the process immediately.
 */
export function createShutdown(options: {
  logger: Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>;
  phases: readonly ShutdownPhase[];
}): Shutdown {
  const { logger, phases } = options;
  let exitCode = 0;
  let isShuttingDown = false;

  async function begin(reason: string): Promise<void> {
    if (isShuttingDown) return;
    isShuttingDown = true;
    logger.info({ reason }, 'shutting down');
    for (const phase of phases) {
      if (!(await runPhase(phase, logger))) exitCode = 1;
    }
    logger.info({ exit_code: exitCode }, 'shut down');
    process.exit(exitCode);
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (isShuttingDown) {
      logger.warn({ signal }, 'second signal, exiting immediately');
      process.exit(1);
    }
    void begin(signal);
  }

  function shutdown(reason: string, error?: unknown): void {
    exitCode = 1;
    logger.fatal({ err: error, reason }, 'fatal error');
    void begin(reason);
  }

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', (error) => shutdown('uncaughtException', error));
  process.on('unhandledRejection', (error) => shutdown('unhandledRejection', error));
  // Only a process that was started with IPC is notified of the end of its parent.
  if (process.send !== undefined) {
    process.on('disconnect', () => void begin('parent process ended'));
    if (!process.connected) void begin('parent process ended');
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
    // `race` also handles a late rejection of an abandoned phase, which is not a new failure.
    const result = await Promise.race([phase.run(), timeout]);
    if (result !== timedOut) {
      logger.info(fields(), 'shutdown phase completed');
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
