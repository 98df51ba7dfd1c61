import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { requestProgram } from '../request-test-services.ts';
import { readTestingConfig } from '../config.ts';
import { type ChildProcess, startChild } from '../processes/start-child.ts';
import { type CertificateName, certificatePath } from './certificates.ts';

export interface RedisServer {
  /** Unchanged by stops and starts. */
  url: string;
  port: number;
  /** The PID of the running server. */
  readonly pid: number;
  /** Shuts the server down gracefully; with `appendonly`, its data is kept. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Makes the server hang until `resume`: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** Stops the server permanently and deletes its data. */
  close(): Promise<void>;
}

export interface RedisOptions {
  appendonly?: boolean;
  settings?: Record<string, string>;
  /** Makes the server accept only TLS, with this certificate. */
  certificate?: CertificateName;
  /** The path of the server program, needed outside a test runner. */
  program?: string;
}

/** Starts a Redis server for one caller, which may stop, kill, pause and flush it. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const path = options.program ?? (await requestProgram('redis-server'));
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

  const port = await findFreePort();
  let child = await launch(port);
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

/** Listens on plain TCP without a certificate, and only on TLS with one. */
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
