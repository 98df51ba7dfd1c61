import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../../apps/api/test/start-service.ts';
import { findFreePort } from '../../packages/embedded-postgres/src/index.ts';
import { findHaproxy, findNginx, startChild } from '../../packages/testing/src/index.ts';
import { readRootFile } from './settings-in-code.ts';

/** The blocks of docs/deploy.md, with the port of an API. */
function readBlocks(language: string, apiPort: string): string[] {
  const [, section = ''] = readRootFile('docs/deploy.md').split('### Below a path of another site');
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text.replaceAll('127.0.0.1:3000', `127.0.0.1:${apiPort}`));
}

interface Started {
  stop(): Promise<void>;
}
type Start = (folder: string, port: number, apiPort: string) => Promise<Started>;

const PROXIES: Record<string, Start> = {
  async nginx(folder, port, apiPort) {
    const file = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ');
    await writeFile(
      file,
      `worker_processes 1; pid ${folder}/nginx.pid; error_log stderr notice; events {}
http { access_log off; proxy_max_temp_file_size 0; ${temporary}
map $http_upgrade $connection_upgrade { default upgrade; '' close; }
server { listen 127.0.0.1:${port};
location / { return 200 'another site'; }
${readBlocks('nginx', apiPort).join('\n')} } }`,
    );
    return startChild({
      name: 'nginx',
      command: await findNginx(),
      args: ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
      env: { PATH: '/usr/bin:/bin' },
      isReady: (line) => line.includes('start worker process '),
    });
  },
  async HAProxy(folder, port, apiPort) {
    const file = join(folder, 'haproxy.cfg');
    const [frontend = '', backend = ''] = readBlocks('haproxy', apiPort);
    await writeFile(
      file,
      `defaults
  mode http
  timeout connect 3s
  timeout client 60s
  timeout server 60s
frontend site
  bind 127.0.0.1:${port}
${frontend}  http-request return status 200 content-type text/plain string "another site" unless { path_beg /sms/ }
${backend}`,
    );
    return startChild({
      name: 'HAProxy',
      command: await findHaproxy(),
      args: ['-W', '-db', '-f', file],
      env: { PATH: '/usr/bin:/bin' },
      isReady: (line) => line.includes('Loading success'),
    });
  },
};

describe.each(Object.entries(PROXIES))('below a path, behind %s', (name, start) => {
  let service: Service;
  let proxy: Started;
  let folder: string;
  let port: number;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-path-'));
    port = await findFreePort();
    url = `http://127.0.0.1:${port}/sms`;
    // OPS_PORT is not set, so that only the proxy blocks the operators' routes.
    const login = { QUEUE_UI_USER: 'operator', QUEUE_UI_PASSWORD: 'a long password of theirs' };
    service = await startService({ env: { ...login, PUBLIC_URL: `${url}/`, TRUST_PROXY: '1' } });
    proxy = await start(folder, port, new URL(service.url).port);
  });
  afterAll(async () => {
    await proxy?.stop();
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function read(address: string | URL): Promise<string> {
    const response = await fetch(address);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  }

  /** Writes a request unchanged, because a client library would normalize its target. */
  function send(head: string): Promise<string> {
    const isUpgrade = /upgrade/i.test(head);
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let response = '';
      socket.setTimeout(60_000, () => socket.destroy(new Error(`no response to ${head}`)));
      socket.on('data', (chunk) => {
        response += chunk.toString();
        // The proxy keeps the connection of an upgrade open, whatever the response is.
        if (isUpgrade) socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(response));
      socket.write(`${head}\r\nHost: 127.0.0.1:${port}\r\n`);
      socket.write(isUpgrade ? '\r\n' : 'Connection: close\r\n\r\n');
    });
  }

  test(`behind ${name}, the page below a path loads its files from there, and the rest is another site`, async () => {
    const page = await read(`${url}/w/x/messages`);
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(3);
    for (const path of files) {
      const response = await fetch(new URL(path, url));
      expect([path, response.status, path.startsWith('/sms/')]).toEqual([path, 200, true]);
      expect(await response.text()).not.toBe('another site');
    }
    const redirected = await fetch(url);
    expect([redirected.status, redirected.url]).toEqual([200, `${url}/`]);
    expect(await read(new URL('/health/live', url))).toBe('another site');
    const first = await fetch(`${url}/`);
    expect(first.status).toBe(200);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const repeated = await fetch(`${url}/`, { headers: { 'if-none-match': etag } });
    expect(repeated.status).toBe(304);
  });

  test(`behind ${name}, the reference, the API and a WebSocket work below a path`, async () => {
    const document: unknown = JSON.parse(await read(`${url}/openapi.json`));
    expect(document).toMatchObject({ servers: [{ url: '/sms' }] });
    expect(await read(`${url}/docs`)).toContain('src="/sms/docs/scalar.js"');
    expect(await read(`${url}/docs/start.js`)).toContain('/sms/openapi.json');
    const { apiKey } = await service.addWorkspace();
    const listed = await fetch(`${url}/api/messages?to=%2B15558675310`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(listed.status).toBe(200);
    const upgrade = [
      'GET /sms/api/events HTTP/1.1',
      `Authorization: Bearer ${apiKey}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `Origin: http://127.0.0.1:${port}`,
    ];
    expect(await send(upgrade.join('\r\n'))).toMatch(/^HTTP\/1\.1 101 /);
    upgrade[6] = 'Origin: https://evil.example';
    expect(await send(upgrade.join('\r\n'))).toMatch(/^HTTP\/1\.1 403 /);
  });

  test(`behind ${name}, the signature of a provider covers PUBLIC_URL with its path`, async () => {
    const { workspaceId, accountSid, authToken } = await service.addWorkspace();
    const path = `/api/webhooks/twilio/${workspaceId}/inbound`;
    const fields = {
      AccountSid: accountSid,
      Body: 'Hi',
      From: '+14155550123',
      MessageSid: `SM${'a'.repeat(32)}`,
      NumMedia: '0',
      To: '+15557770001',
    };
    const post = (base: string) => {
      const signed = base + path + Object.entries(fields).flat().join('');
      const signature = createHmac('sha1', authToken).update(signed).digest('base64');
      const headers = { 'x-twilio-signature': signature };
      return fetch(url + path, { method: 'POST', headers, body: new URLSearchParams(fields) });
    };
    expect((await post(new URL(url).origin)).status).toBe(403);
    expect((await post(url)).status).toBe(200);
  });

  test(`behind ${name}, no spelling of a path below the base path reaches the operators’ routes`, async () => {
    const reached: string[] = [];
    for (const path of [
      '/sms/metrics',
      '/sms//metrics',
      '/sms/%6detrics',
      '/sms/METRICS',
      '/sms/%2Fmetrics',
      '/sms/%2f%2fmetrics',
      '/sms/./metrics',
      '/sms/x/../metrics',
      '/sms/x/%2e%2e/metrics',
      '/sms/..;/metrics',
      '/sms/x/..;/metrics',
      '/sms/%252fmetrics',
      '/sms/%256detrics',
      '/sms/..%2fmetrics',
      '/sms/..%5cmetrics',
      '/sms/\\metrics',
      '/sms/metrics;a',
      '/sms/metrics%00',
      '/sms/metrics?x',
      '/sms/metrics/',
      '/%73ms/metrics',
      '//sms/metrics',
      '/x/../sms/metrics',
      '/SMS/metrics',
      '/sms/sms/metrics',
      '/sms/sms/../metrics',
      `http://127.0.0.1:${port}/sms/metrics`,
      '/sms/ops/queue',
      '/sms/%6fps/queue',
      '/sms/ops%2Fqueue',
      '/sms//ops//queue',
      '/sms/x/../ops/queue',
    ]) {
      const response = await send(`GET ${path} HTTP/1.1`);
      expect(response).toMatch(/^HTTP\/1\.1 \d/);
      if (/^# HELP|www-authenticate/im.test(response)) reached.push(path);
    }
    expect(reached).toEqual([]);
  });
});
