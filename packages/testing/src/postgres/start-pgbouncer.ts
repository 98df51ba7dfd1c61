import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseLauncher, findFreePort } from '@switchboard/embedded-postgres';
import { requestProgram } from '../request-test-services.ts';
import { readTestingConfig } from '../config.ts';
import { type ChildProcess, startChild } from '../processes/start-child.ts';

export interface PgBouncer {
  /**
   * The URL of the database through PgBouncer, with `pgbouncer=true`. Unchanged by stops and
   * starts.
   */
  url: string;
  /** Stops PgBouncer; all client and server connections are dropped. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts PgBouncer in transaction mode, with few server connections for all its clients. */
export async function startPgBouncer(options: {
  databaseUrl: string;
  /** Connections to the server; default 3. */
  poolSize?: number;
  /** Settings that override the defaults. */
  settings?: Record<string, string>;
  /** The path of the program, needed outside a test runner. */
  program?: string;
}): Promise<PgBouncer> {
  const program = options.program ?? (await requestProgram('pgbouncer'));
  // Readable by all, because PgBouncer may run as another user; the folder contains no secrets.
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const server = new URL(options.databaseUrl);
  const port = await findFreePort();
  const settings = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    // PgBouncer has the server's password; client authentication is not tested here.
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: String(options.poolSize ?? 3),
    max_client_conn: '200',
    // Limits the time until PgBouncer reconnects after the server returns.
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
