import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { askTestServices } from '../ask-test-services.ts';
import { readTestingConfig } from '../config.ts';
import { type ChildProcess, startChild } from '../processes/start-child.ts';

export interface RedisServer {
  /** Stays the same through stops and starts. */
  url: string;
  /** Ends the server as an operator would; with `appendonly` what it holds is kept. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The server hangs: connections stay open and nothing answers, until `resume`. */
  pause(): void;
  resume(): void;
  /** Stops it for good, and removes what it kept. */
  close(): Promise<void>;
}

/** A Redis server of the caller's own, to be stopped, killed, hung and flushed at will. */
export async function startRedis(
  options: {
    appendonly?: boolean;
    settings?: Record<string, string>;
    /** The server's path, where no test runner is there to be asked for it. */
    program?: string;
  } = {},
): Promise<RedisServer> {
  const path = options.program ?? (await askForProgram());
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-redis-'));
  const settings: Record<string, string> = {
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: options.appendonly === true ? 'yes' : 'no',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
    ...options.settings,
  };

  function launch(port: number): Promise<ChildProcess> {
    const args = Object.entries({ ...settings, port: String(port) });
    return startChild({
      name: 'Redis',
      command: path,
      args: args.flatMap(([name, value]) => [`--${name}`, value]),
      env: { PATH: readTestingConfig().path },
      isReady: (line) => line.includes('Ready to accept connections'),
    });
  }

  // Another process may take the port between its choice and Redis' start.
  let port = await findFreePort();
  let child = await launch(port).catch(async () => {
    port = await findFreePort();
    return launch(port);
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => child.stop(),
    kill: () => child.kill(),
    async start() {
      child = await launch(port);
    },
    pause: () => child.signal('SIGSTOP'),
    resume: () => child.signal('SIGCONT'),
    async close() {
      await child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function askForProgram(): Promise<string> {
  const { path } = (await askTestServices('POST', '/redis-server')) as { path: string };
  return path;
}
