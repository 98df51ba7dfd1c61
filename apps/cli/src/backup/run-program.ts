import { spawn } from 'node:child_process';
import { CommandError } from '../command-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const KEPT_CHARACTERS = 8_000;

/**
 * Runs a program and returns its standard output.
 *
 * @throws CommandError with the program's error output if the program is missing or fails
 */
export function runProgram(program: string, args: string[], env: Environment): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (errors = (errors + text).slice(-KEPT_CHARACTERS)));
    child.once('error', (cause) => {
      reject(new CommandError(`${program} cannot be run: ${cause.message}`, { cause }));
    });
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const how = signal ?? `exit code ${code}`;
      reject(new CommandError(`${program} failed (${how}):\n${errors.trim()}`));
    });
  });
}
