import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../packages/embedded-postgres/src/index.ts';
import { certificatePath, findNginx, startChild } from '../../packages/testing/src/index.ts';
import { readRootFile } from './settings-in-code.ts';

/** nginx with the repository's own configuration, in front of APIs on this machine. */
export async function startNginx(
  apiPorts: readonly number[],
): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-nginx-'));
  const httpsPort = await findFreePort();
  const servers = apiPorts.map((port) => `  server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`);
  // What differs between an operator's machine and this one; each must be in the file.
  const changes: [RegExp, string][] = [
    [/^( {2}server 127\.0\.0\.1:\d+ max_fails=1 fail_timeout=2s;\n)+/m, `${servers.join('\n')}\n`],
    [/^ {2}listen 80;/m, `  listen 127.0.0.1:${await findFreePort()};`],
    [/^ {2}listen 443 ssl http2;/m, `  listen 127.0.0.1:${httpsPort} ssl http2;`],
    [/^ {2}ssl_certificate \S+;/m, `  ssl_certificate ${certificatePath('server.pem')};`],
    [/^ {2}ssl_certificate_key \S+;/m, `  ssl_certificate_key ${certificatePath('server.key')};`],
  ];
  let site = readRootFile('ops/proxy/nginx.conf');
  for (const [pattern, replacement] of changes) {
    if (!pattern.test(site)) throw new Error(`nginx.conf holds no ${pattern.source}`);
    site = site.replace(pattern, replacement);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${folder}/${name};`,
  );
  const main = `worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 512; }
http {
${temporary.join('\n')}
  access_log off;
${site}
}
`;
  const file = join(folder, 'nginx.conf');
  await writeFile(file, main);
  const child = await startChild({
    name: 'nginx',
    command: await findNginx(),
    args: ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off; error_log stderr notice;'],
    env: { PATH: '/usr/bin:/bin' },
    isReady: (line) => line.includes('start worker process '),
  });
  return {
    url: `https://127.0.0.1:${httpsPort}`,
    async close() {
      await child.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
