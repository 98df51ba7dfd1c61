import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type CleanUps, cleanUpOnSignal } from './clean-up-on-signal.ts';

/** Options that are not valid. The message is a sentence for the user. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

const WRONG_OPTIONS = 64;

/**
 * Runs a command: it exits with the code that `run` returns, or prints its usage if the options are not valid.
 * A signal, and the end of `limitMs`, stop it and clean up what it started.
 */
export async function runProgram<Options>(program: {
  usage: string;
  /** @throws OptionsError */
  parse(args: string[]): Options;
  /** @throws OptionsError */
  run(options: Options, cleanUps: CleanUps): Promise<number>;
  limitMs?(options: Options): number;
}): Promise<void> {
  try {
    const options = program.parse(process.argv.slice(2));
    await cleanUpOnSignal(async (cleanUps) => {
      process.exitCode = await program.run(options, cleanUps);
    }, program.limitMs?.(options));
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    process.stderr.write(`${error.message}\n\n${program.usage}\n`);
    process.exitCode = WRONG_OPTIONS;
  }
}

/** @throws OptionsError for arguments that `parseArgs` refuses */
export function readArguments<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (cause) {
    throw new OptionsError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** @throws OptionsError */
export function parseNumber(name: string, text: string, least = 1): number {
  if (!/^[1-9]\d{0,8}$/.test(text) || Number(text) < least) {
    throw new OptionsError(`${name} must be a whole number of ${least} or more, but is ${text}`);
  }
  return Number(text);
}
