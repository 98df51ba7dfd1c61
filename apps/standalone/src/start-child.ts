import { spawn } from 'node:child_process';
import { prefixLines } from './output.ts';

/** The message that a child sends when it is ready. */
export interface ReadyMessage {
  /** The URLs of the simulated providers. Only the simulator sends them. */
  providerUrls?: Record<string, string>;
}

export interface Child {
  name: string;
  pid: number | undefined;
  /** Resolves when the child reports that it is ready. Rejects if it exits first. */
  ready: Promise<ReadyMessage>;
  exited: Promise<ChildExit>;
  stop(): Promise<ChildExit>;
  kill(): void;
}

export interface ChildExit {
  /** True for exit code 0, and for SIGTERM before the child could handle it. */
  isClean: boolean;
  /** For example "api ended with exit code 1 (its last line: …)." */
  message: string;
}

/** Longer than the shutdown timeouts of the child processes themselves. */
const STOP_MS = 45_000;

/** Starts a program as a child process and copies its output. */
export function startChild(options: {
  name: string;
  program: string;
  nodeFlags: readonly string[];
  env: Record<string, string>;
}): Child {
  const { name } = options;
  const child = spawn(process.execPath, [...options.nodeFlags, options.program], {
    env: options.env,
    // A separate process group: Ctrl-C reaches only this process, which stops the children in order.
    // If this process is killed, the IPC channel closes, and the children stop by themselves.
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
        message: `${name} ended with ${how}${quote}.`,
      });
    });
  });
  const ready = new Promise<ReadyMessage>((resolve, reject) => {
    child.on('message', (sent) => {
      if (isReady(sent)) resolve(sent);
    });
    void exited.then(({ message }) => reject(new Error(message)));
  });
  ready.catch(() => undefined); // Callers that do not await `ready` use `exited`.

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

function isReady(message: unknown): message is ReadyMessage {
  return (
    typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready'
  );
}
