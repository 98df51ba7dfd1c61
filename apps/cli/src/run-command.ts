import { type ParseArgsConfig, parseArgs } from 'node:util';
import { runMain } from '@switchboard/runtime';
import { CommandError } from './command-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

interface Command<O extends Options> {
  /** The name in `npm run <name>`. */
  name: string;
  options?: O;
  /** Positional arguments. Each is required, in this order. */
  positionals?: readonly string[];
}

type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/**
 * Parses the arguments of a command, then runs `main`. An unknown argument is refused before any
 * setting is read and before anything is changed.
 */
export function runCommand<O extends Options = Record<string, never>>(
  command: Command<O>,
  main: (values: Values<O>, positionals: readonly string[]) => Promise<void>,
): Promise<void> {
  return runMain(async () => {
    try {
      const { values, positionals } = parse(command);
      await main(values, positionals);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      console.error(error.message);
      process.exitCode = 1;
    }
  });
}

function parse<O extends Options>(
  command: Command<O>,
): { values: Values<O>; positionals: readonly string[] } {
  const names = command.positionals ?? [];
  try {
    const { values, positionals } = parseArgs({
      options: command.options ?? ({} as O),
      allowPositionals: true,
    });
    if (positionals.length < names.length)
      throw refuse(command, `Missing <${names[positionals.length]}>`);
    const extra = positionals[names.length];
    if (extra !== undefined) throw refuse(command, `Unexpected argument '${extra}'`);
    return { values, positionals };
  } catch (error) {
    if (!isParseError(error)) throw error;
    // Only the first sentence is used. The others explain file names that begin with a dash.
    throw refuse(command, error.message.split(/\. |$/)[0] ?? error.message);
  }
}

function refuse(
  { name, options = {}, positionals = [] }: Command<Options>,
  problem: string,
): Error {
  const accepted = [
    ...Object.keys(options).map((option) => `[--${option}]`),
    ...positionals.map((positional) => `<${positional}>`),
  ];
  const usage = [`npm run ${name}`, ...(accepted.length > 0 ? ['--', ...accepted] : [])].join(' ');
  return new CommandError(`${problem}.\nUsage: ${usage}`);
}

function isParseError(error: unknown): error is Error {
  return (
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  );
}
