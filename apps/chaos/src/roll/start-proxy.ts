import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { type ChildProcess, certificatePath, findHaproxy, startChild } from '@switchboard/testing';

const CONFIGURATION = resolve(import.meta.dirname, '../../../../ops/proxy/haproxy.cfg');

/** HAProxy with the configuration of this repository, in front of APIs on this machine. */
export interface Proxy {
  url: string;
  /** The URL without TLS, which redirects to `url`. */
  httpUrl: string;
  /** The URL of HAProxy's metrics for Prometheus. */
  metricsUrl: string;
  /** The certificate authority (CA) of HAProxy's certificate, which Node does not trust by default. */
  authorityFile: string;
  authority: string;
  /** Returns the warnings about its configuration that HAProxy logs when it starts. */
  warnings(): string[];
  /** Returns the log lines of failed and retried requests. */
  anomalies(): string[];
  close(): Promise<void>;
}

/** Replaces the values that depend on the machine. Throws if one of them is not in the file. */
function fillIn(
  text: string,
  filled: {
    httpPort: number;
    httpsPort: number;
    metricsPort: number;
    certbotPort: number;
    pem: string;
    socket: string;
    apiPorts: readonly number[];
    connectionsPerAddress: number | undefined;
  },
): string {
  const { httpPort, httpsPort, metricsPort, certbotPort, pem, socket, apiPorts } = filled;
  const { connectionsPerAddress = '$1' } = filled;
  const servers = apiPorts.map((port) => `  server api-${port} 127.0.0.1:${port}`);
  const changes: [RegExp, string][] = [
    [/^ {2}bind :80$/m, `  bind 127.0.0.1:${httpPort}`],
    [/^ {2}bind :::80 /m, `  bind [::1]:${httpPort} `],
    [/^ {2}bind :443 ssl crt \S+/m, `  bind 127.0.0.1:${httpsPort} ssl crt ${pem}`],
    [/^ {2}bind :::443 v6only ssl crt \S+/m, `  bind [::1]:${httpsPort} v6only ssl crt ${pem}`],
    [/^( {2}server api-\d+ 127\.0\.0\.1:\d+\n?)+/m, `${servers.join('\n')}\n`],
    [/^ {2}bind 127\.0\.0\.1:8404$/m, `  bind 127.0.0.1:${metricsPort}`],
    [/^ {2}server certbot 127\.0\.0\.1:8402$/m, `  server certbot 127.0.0.1:${certbotPort}`],
    [/^ {2}stats socket \S+/m, `  stats socket ${socket}`],
    // The package creates this user and group, and only root can switch to them.
    [/^ {2}user \w+\n {2}group \w+\n/m, ''],
    // An ordinary user may open only this many files.
    [/^ {2}maxconn \d+$/m, '  maxconn 2000'],
    [/\bsc0_conn_cur gt (\d+)/, `sc0_conn_cur gt ${connectionsPerAddress}`],
    // Successful requests would log several thousand lines a second.
    [/^ {2}option httplog$/m, '  option httplog\n  option dontlog-normal'],
  ];
  let filledIn = text;
  for (const [pattern, replacement] of changes) {
    if (!pattern.test(filledIn)) throw new Error(`haproxy.cfg has no match for ${pattern.source}`);
    filledIn = filledIn.replace(pattern, replacement);
  }
  return filledIn;
}

export async function startProxy(options: {
  apiPorts: readonly number[];
  /** The folder for HAProxy's configuration, certificate and log. */
  folder: string;
  /** The port on which certbot answers while it renews a certificate. By default, nothing listens on it. */
  certbotPort?: number;
  /** Replaces the limit of connections from one client address. */
  connectionsPerAddress?: number;
}): Promise<Proxy> {
  const folder = join(options.folder, 'proxy');
  await mkdir(folder, { recursive: true });
  // HAProxy requires certificate and key in one file.
  const pem = join(folder, 'proxy.pem');
  const parts = ['server.pem', 'server.key'].map((name) => readFile(certificatePath(name), 'utf8'));
  await writeFile(pem, (await Promise.all(parts)).join(''), { mode: 0o600 });
  const authorityFile = certificatePath('authority.pem');
  const httpPort = await findFreePort();
  const httpsPort = await findFreePort();
  const metricsPort = await findFreePort();
  const configuration = fillIn(await readFile(CONFIGURATION, 'utf8'), {
    httpPort,
    httpsPort,
    metricsPort,
    certbotPort: options.certbotPort ?? (await findFreePort()),
    pem,
    socket: join(folder, 'admin.sock'),
    apiPorts: options.apiPorts,
    connectionsPerAddress: options.connectionsPerAddress,
  });
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration);
  const child: ChildProcess = await startChild({
    name: 'HAProxy',
    command: await findHaproxy(),
    // A master process in the foreground reports when it is ready and stops its workers in order.
    args: ['-W', '-db', '-f', file],
    env: { PATH: '/usr/bin:/bin' },
    isReady: (line) => line.includes('Loading success'),
  });
  return {
    url: `https://127.0.0.1:${httpsPort}`,
    httpUrl: `http://127.0.0.1:${httpPort}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    authorityFile,
    authority: await readFile(authorityFile, 'utf8'),
    warnings: () => child.logs.filter((line) => /\[WARNING\].* config : /.test(line)),
    anomalies: () => child.logs.filter((line) => line.includes(' public~ ')),
    async close() {
      await child.stop();
      await writeFile(join(options.folder, 'proxy.log'), child.logs.join('\n'));
    },
  };
}
