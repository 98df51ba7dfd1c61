import type { Logger } from './logger.ts';
import { SettingsError } from './read-settings.ts';

/** Why a process does not start, in a sentence for the operator, who alone can mend it. */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError';
}

/**
 * The whole of a `main.ts`: runs `main`; a start that fails ends the process with code 1. Wrong
 * settings are told in plain text, because there is no logger before they are right.
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

/** Tells the operator, and the parent process where there is one, that `url` answers now. */
export function announceReady(logger: Pick<Logger, 'info'>, url: string): void {
  logger.info({ url }, 'listening');
  // A parent that is just going away is the shutdown's concern, not a failure to start.
  if (process.connected) process.send?.({ type: 'ready', url }, () => undefined);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
