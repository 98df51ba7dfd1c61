import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../packages/embedded-postgres/src/index.ts';
import { certificatePath, findNginx, startChild } from '../../packages/testing/src/index.ts';
import { readRootFile } from './settings-in-code.ts';

/** Starts nginx with the configuration of this repository, in front of APIs on this machine. */
export async function startNginx(
  apiPorts: readonly number[],
  certbotPort: number,
): Promise<{ url: string; httpUrl: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-nginx-'));
  const httpsPort = await findFreePort();
  const httpPort = await findFreePort();
  const servers = apiPorts.map(
    (port) => `    server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`,
  );
  // The package creates these folders, and only root can write to them.
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${folder}/${name};\n`,
  );
  // Values that depend on the machine. Each must be in the file.
  const changes: [RegExp, string][] = [
    [/^( {4}server 127\.0\.0\.1:\d+ max_fails=1 fail_timeout=2s;\n)+/m, `${servers.join('\n')}\n`],
    [/ proxy_pass http:\/\/127\.0\.0\.1:8402;/, ` proxy_pass http://127.0.0.1:${certbotPort};`],
    [/ listen 80;/, ` listen 127.0.0.1:${httpPort};`],
    [/ listen \[::\]:80;/, ` listen [::1]:${httpPort};`],
    [/ listen 443 /, ` listen 127.0.0.1:${httpsPort} `],
    [/ listen \[::\]:443 /, ` listen [::1]:${httpsPort} `],
    [/ ssl_certificate \S+;/, ` ssl_certificate ${certificatePath('server.pem')};`],
    [/ ssl_certificate_key \S+;/, ` ssl_certificate_key ${certificatePath('server.key')};`],
    [/^user www-data;\n/m, ''],
    [/^worker_processes auto;/m, 'worker_processes 1;'],
    [/^pid \S+;/m, `pid ${folder}/nginx.pid;`],
    [/^error_log \S+;/m, 'error_log stderr notice;'],
    [/^ {2}access_log \S+;\n/m, `  access_log off;\n${temporary.join('')}`],
  ];
  let configuration = readRootFile('ops/proxy/nginx.conf');
  for (const [pattern, replacement] of changes) {
    if (!pattern.test(configuration))
      throw new Error(`nginx.conf does not contain ${pattern.source}`);
    configuration = configuration.replace(pattern, replacement);
  }
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration);
  const child = await startChild({
    name: 'nginx',
    command: await findNginx(),
    args: ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
    env: { PATH: '/usr/bin:/bin' },
    isReady: (line) => line.includes('start worker process '),
  });
  return {
    url: `https://127.0.0.1:${httpsPort}`,
    httpUrl: `http://127.0.0.1:${httpPort}`,
    async close() {
      await child.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
