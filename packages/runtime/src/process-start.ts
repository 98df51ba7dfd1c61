import type { Logger } from './logger.ts';
import { SettingsError } from './settings/read-settings.ts';

/**
 * The process does not start. The message is a sentence for the operator, who can correct the cause.
 */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError';
}

/**
 * Runs `main`; a `main.ts` does nothing else. If the start fails, the process writes the reason as
 * plain text to stderr, because there is no logger without settings, and exits with code 1.
 */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isForOperators = error instanceof SettingsError || error instanceof StartRefusedError;
    const text = isForOperators ? error.message : describe(error);
    process.stderr.write(`${text}\n`, () => process.exit(1));
  }
}

/** Logs that the process listens at `url`, and notifies the parent process if there is one. */
export function announceReady(logger: Pick<Logger, 'info'>, url: string): void {
  logger.info({ url }, 'listening');
  // If the parent ends at this moment, the shutdown handles it. The start has not failed.
  if (process.connected) process.send?.({ type: 'ready', url }, () => undefined);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
