// node run-step.mjs <command> …: runs the command, and kills it and its children when the standard input ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(import.meta.url);

/**
 * Runs a command and returns its exit code. It ends with this process, however this process ends: a killed process
 * cannot stop its children, so this file runs a second time between them and watches.
 */
export async function runStep(command, args, { cwd, env = process.env, isQuiet = false }) {
  const child = spawn(process.execPath, [FILE, command, ...args], {
    cwd,
    env,
    stdio: ['pipe', isQuiet ? 'ignore' : 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

if (process.argv[1] === FILE) {
  const [command, ...args] = process.argv.slice(2);
  // A process group of its own, because npm and the compiler start further processes.
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  const stop = () => {
    const { pid, exitCode, signalCode } = child;
    if (pid !== undefined && exitCode === null && signalCode === null)
      process.kill(-pid, 'SIGKILL');
  };
  process.stdin.on('end', stop).on('error', stop).resume();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  child.on('error', (error) => {
    console.error(`failed to run ${command}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
