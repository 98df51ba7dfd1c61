import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { EVENTUALLY } from '../eventually.ts';
import { findProgramFile } from './find-program-file.ts';

export interface CommandOptions {
  args?: readonly string[];
  /** The whole environment: only `TMPDIR` is inherited. */
  env?: Readonly<Record<string, string>>;
  timeoutMs?: number;
}

export interface CommandResult {
  code: unknown;
  stdout: string;
  stderr: string;
}

/** Runs a command of `apps/cli`, as `npm run <name>` does. */
export function runCommand(
  name: string,
  { args = [], env = {}, timeoutMs = EVENTUALLY.timeout }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const options = { env: { TMPDIR: tmpdir(), ...env }, timeout: timeoutMs };
    execFile(
      process.execPath,
      [findProgramFile(name), ...args],
      options,
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : error.code, stdout, stderr });
      },
    );
  });
}
