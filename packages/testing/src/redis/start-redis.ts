import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { askTestServices } from '../ask-test-services.ts';
import { readTestingConfig } from '../config.ts';
import { type ChildProcess, startChild } from '../processes/start-child.ts';
import { type CertificateName, certificatePath } from './certificates.ts';

export interface RedisServer {
  /** Stays the same through stops and starts. */
  url: string;
  port: number;
  /** Of the process that runs now. */
  readonly pid: number;
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

export interface RedisOptions {
  appendonly?: boolean;
  settings?: Record<string, string>;
  /** It speaks TLS only, with this certificate. */
  certificate?: CertificateName;
  /** The server's path, where no test runner is there to be asked for it. */
  program?: string;
}

/** A Redis server of the caller's own, to be stopped, killed, hung and flushed at will. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const path = options.program ?? (await askForProgram());
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-redis-'));
  const settings: Record<string, string> = {
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: options.appendonly === true ? 'yes' : 'no',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
    'repl-diskless-sync-delay': '0',
    ...options.settings,
  };

  function launch(port: number): Promise<ChildProcess> {
    const args = Object.entries({ ...settings, ...portSettings(port, options.certificate) });
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
    url:
      options.certificate === undefined
        ? `redis://127.0.0.1:${port}`
        : `rediss://127.0.0.1:${port}?ca=${certificatePath('authority.pem')}`,
    port,
    get pid() {
      return child.pid;
    },
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

/** Without a certificate in the clear, with one over TLS only. */
export function portSettings(port: number, certificate?: CertificateName): Record<string, string> {
  if (certificate === undefined) return { port: String(port) };
  return {
    port: '0',
    'tls-port': String(port),
    'tls-cert-file': certificatePath(`${certificate}.pem`),
    'tls-key-file': certificatePath(`${certificate}.key`),
    'tls-ca-cert-file': certificatePath('authority.pem'),
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
  };
}

export async function askForProgram(): Promise<string> {
  const { path } = (await askTestServices('POST', '/redis-server')) as { path: string };
  return path;
}
