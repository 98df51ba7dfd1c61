import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Starts a Node program that stops and removes what this process leaves behind. Its standard input ends when this
 * process ends, however it ends: by itself, by Ctrl-C or by SIGKILL. It has its own session, so that Ctrl-C does
 * not reach it. `dismiss` ends it when nothing is left.
 */
export function startGuard(program: string, args: readonly string[]): { dismiss(): void } {
  const guard = spawn(process.execPath, [program, ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  guard.once('error', (error) => {
    process.stderr.write(`The guard of this run could not be started: ${error.message}\n`);
  });
  // The guard does not keep this process running.
  guard.unref();
  (guard.stdin as Socket | null)?.unref();
  return { dismiss: () => void guard.kill('SIGKILL') };
}
