import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseLauncher, findFreePort } from '@switchboard/embedded-postgres';
import { askTestServices } from '../ask-test-services.ts';
import { readTestingConfig } from '../config.ts';
import { type ChildProcess, startChild } from '../processes/start-child.ts';

export interface PgBouncer {
  /** Of the database behind it, with `pgbouncer=true`. Stays the same through stops and starts. */
  url: string;
  /** Drops every connection, of clients and to the server. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** PgBouncer in transaction mode, with few connections to the server for all of its clients. */
export async function startPgBouncer(options: {
  databaseUrl: string;
  /** To the server; default 3. */
  poolSize?: number;
  /** Instead of how it comes. */
  settings?: Record<string, string>;
  /** Its path, where no test runner is there to be asked for it. */
  program?: string;
}): Promise<PgBouncer> {
  const program = options.program ?? (await askForProgram());
  // Below it lies nothing that others may not see, and PgBouncer may be run as another user.
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const server = new URL(options.databaseUrl);
  const port = await findFreePort();
  const settings = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    // It knows the server's password; who may come to it is not what is tested.
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: String(options.poolSize ?? 3),
    max_client_conn: '200',
    // How soon it notices that the server is back.
    server_login_retry: '1',
    ...options.settings,
  });
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${decodeURIComponent(server.username)} password=${decodeURIComponent(server.password)}`,
    '[pgbouncer]',
    ...settings.map(([name, value]) => `${name} = ${value}`),
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const [command, args] = chooseLauncher(folder)(program, [file]);

  function launch(): Promise<ChildProcess> {
    return startChild({
      name: 'PgBouncer',
      command,
      args,
      env: { PATH: readTestingConfig().path },
      isReady: (line) => line.includes('process up'),
    });
  }

  let child = await launch();
  const url = new URL(options.databaseUrl);
  url.port = String(port);
  url.searchParams.set('pgbouncer', 'true');
  return {
    url: url.href,
    kill: () => child.kill(),
    async start() {
      child = await launch();
    },
    async close() {
      await child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function askForProgram(): Promise<string> {
  const { path } = (await askTestServices('POST', '/pgbouncer')) as { path: string };
  return path;
}
