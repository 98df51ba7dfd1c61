import type { Logger } from './logger.ts';
import { SettingsError } from './settings/read-settings.ts';

/** A process refuses to start. The message is a sentence for the operator, who can change it. */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError';
}

/**
 * Runs `main`, and is all that a `main.ts` does. A start that fails ends the process with code 1, and
 * the reason as plain text on stderr, because there is no logger without settings.
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

/** Reports that `url` answers: to the log, and to the parent process if there is one. */
export function announceReady(logger: Pick<Logger, 'info'>, url: string): void {
  logger.info({ url }, 'listening');
  // A parent that ends during this is handled by the shutdown; it is no failure to start.
  if (process.connected) process.send?.({ type: 'ready', url }, () => undefined);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
