import { spawn } from 'node:child_process';
import { prefixLines } from './output.ts';

export interface Child {
  name: string;
  pid: number | undefined;
  /** Settles when it says that it is ready; rejects with a sentence if it ends before. */
  ready: Promise<void>;
  exited: Promise<ChildExit>;
  stop(): Promise<ChildExit>;
  kill(): void;
}

export interface ChildExit {
  /** Completed, or ended by the very signal that asks for it (before it could listen for it). */
  isClean: boolean;
  /** "api ended with exit code 1 (its last line: …)." */
  sentence: string;
}

/** How long an orderly end may take: longer than what the processes allow themselves. */
const STOP_MS = 45_000;

/** Runs one of the service's programs, with its output copied to ours. */
export function startChild(options: {
  name: string;
  program: string;
  env: Record<string, string>;
}): Child {
  const { name } = options;
  const child = spawn(process.execPath, [options.program], {
    env: options.env,
    // A process group of its own: Ctrl-C reaches us, and we stop the children in order. Should we
    // be killed, the IPC channel closes, which they take as a request to end.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });

  let lastLine = '';
  const onLine = (line: string) => {
    if (line.trim() !== '') lastLine = line.trim();
  };
  if (child.stdout !== null) prefixLines(child.stdout, name, process.stdout, onLine);
  if (child.stderr !== null) prefixLines(child.stderr, name, process.stderr, onLine);

  const exited = new Promise<ChildExit>((resolve) => {
    child.once('error', (error) => onLine(error.message));
    child.once('close', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      const quote = lastLine === '' ? '' : ` (its last line: ${lastLine.slice(0, 300)})`;
      resolve({
        isClean: code === 0 || signal === 'SIGTERM',
        sentence: `${name} ended with ${how}${quote}.`,
      });
    });
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message) => {
      if (isReady(message)) resolve();
    });
    void exited.then(({ sentence }) => reject(new Error(sentence)));
  });
  ready.catch(() => undefined); // who needs it ready awaits it; for others its exit tells

  return {
    name,
    pid: child.pid,
    ready,
    exited,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      try {
        return await exited;
      } finally {
        clearTimeout(timer);
      }
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function isReady(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready'
  );
}
