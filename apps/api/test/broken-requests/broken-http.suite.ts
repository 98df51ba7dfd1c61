import { createConnection } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ask, sendInTurn, sendRaw } from '../start-service.ts';
import { service, workspace } from './environment.ts';
import { parseResponses, expectRawRefusal, sendRawInTurn } from './raw-http.ts';

export function describeBrokenHttp(): void {
  describe('broken HTTP', () => {
    const host = 'Host: x\r\n';

    test.each([
      ['text that is not HTTP', 'hello there\r\n\r\n'],
      [
        'a TLS handshake',
        Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
      ],
      ['an unknown HTTP version', `GET /api/messages HTTP/9.9\r\n${host}\r\n`],
      [
        'a request without a Host header',
        'GET /api/messages HTTP/1.1\r\nConnection: close\r\n\r\n',
      ],
      ['a space in the path', `GET /api/mess ages HTTP/1.1\r\n${host}\r\n`],
      [
        'a control character in a header',
        `GET /api/messages HTTP/1.1\r\n${host}X-A: a\x00b\r\n\r\n`,
      ],
      ['a header without a name', `GET /api/messages HTTP/1.1\r\n${host}: x\r\n\r\n`],
      ['a space before the colon', `GET /api/messages HTTP/1.1\r\n${host}X-A : b\r\n\r\n`],
      [
        'a Content-Length that is not a number',
        `POST /api/messages HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`,
      ],
      [
        'a negative Content-Length',
        `POST /api/messages HTTP/1.1\r\n${host}Content-Length: -5\r\n\r\n`,
      ],
      [
        'two Content-Length headers',
        `POST /api/messages HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      ],
      [
        'a Content-Length together with chunks',
        `POST /api/messages HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      [
        'an unsupported transfer encoding',
        `POST /api/messages HTTP/1.1\r\n${host}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      ],
      [
        'headers of 20 KB',
        `GET /api/messages HTTP/1.1\r\n${host}X-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      ],
      ['a path of 20 KB', `GET /api/messages?to=${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],
    ])('%s is answered with 400 in JSON, and the connection is closed', async (_name, bytes) => {
      expectRawRefusal(await sendRaw(service.url, [bytes]), 400, 'invalid_params');
    });

    test('a broken second request on a connection is answered with 400', async () => {
      const good = `GET /health/live HTTP/1.1\r\n${host}\r\n`;
      const broken = [
        `GET / HTTP/1.1\r\n${host}X-A: ${'a'.repeat(20_000)}\r\n\r\n`,
        'nonsense\r\n\r\n',
      ];
      for (const bytes of broken) {
        const received = await sendRawInTurn(good, bytes);
        expect(parseResponses(received).map(({ status }) => status)).toEqual([200, 400]);
        expectRawRefusal(received, 400, 'invalid_params');
      }
    });

    test('broken chunks are answered with 400, unless the response has already started', async () => {
      const head = `POST /api/messages HTTP/1.1\r\n${host}Authorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      for (const chunk of [
        'xyz\r\n',
        '-1\r\n',
        'fffffffffffffffffff\r\n',
        '2\r\n{}x\r\n0\r\n\r\n',
      ]) {
        expectRawRefusal(await sendRaw(service.url, [head + chunk]), 400, 'invalid_params');
      }
    });

    test('a chunked body over 64 KiB is refused', async () => {
      const head = `POST /api/messages HTTP/1.1\r\n${host}Connection: close\r\nAuthorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
      const received = await sendRaw(service.url, [
        head,
        ...Array.from({ length: 8 }, () => chunk),
        '0\r\n\r\n',
      ]);
      expectRawRefusal(received, 400, 'invalid_params');
    });

    test('a body with a Content-Length over the limit is refused before it is sent', async () => {
      const head = `POST /api/messages HTTP/1.1\r\n${host}Connection: close\r\nAuthorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n`;
      expectRawRefusal(await sendRaw(service.url, [head]), 400, 'invalid_params');
    });

    test('a client that disconnects during its request does not affect other requests', async () => {
      const head = `POST /api/messages HTTP/1.1\r\n${host}Authorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"to":`;
      for (const bytes of ['POST /api/mess', head]) await hangUpAfter(bytes);
      expect((await ask(service.url, '/health/live')).status).toBe(200);
    });

    test('Expect: 100-continue is supported, and other expectations are refused in JSON', async () => {
      const request = (expectation: string) =>
        `PATCH /api/workspace HTTP/1.1\r\n${host}Connection: close\r\nAuthorization: Bearer ${workspace.apiKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 19\r\nExpect: ${expectation}\r\n\r\n{"name":"Expected"}`;
      const honored = await sendRaw(service.url, [request('100-continue')]);
      expect(honored).toMatch(/^HTTP\/1\.1 100 Continue/);
      expect(parseResponses(honored).at(-1)?.status).toBe(200);
      expectRawRefusal(await sendRaw(service.url, [request('a-miracle')]), 400, 'invalid_params');
    });

    test('a request that offers to upgrade to another protocol is answered normally', async () => {
      const json = JSON.stringify({ name: 'Upgraded' });
      for (const [connection, protocol] of [
        ['Upgrade, HTTP2-Settings', 'h2c'],
        ['upgrade', 'websocket'],
        ['upgrade', 'TLS/1.0'],
      ]) {
        // The HTTP client of Java's standard library sends this by default.
        const head =
          `PATCH /api/workspace HTTP/1.1\r\n${host}Connection: ${connection}\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n` +
          `Authorization: Bearer ${workspace.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n`;
        const close = `GET /health/live HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
        // Node 26 drops what a client sends behind such a request before its response.
        const received = await sendInTurn(service.url, [head + json, close]);
        expect([protocol, parseResponses(received).map(({ status }) => status)]).toEqual([
          protocol,
          [200, 200],
        ]);
        const refused = await sendRaw(service.url, [
          `GET /api/workspace HTTP/1.1\r\n${host}Connection: ${connection}\r\nUpgrade: ${protocol}\r\n\r\n`,
          close,
        ]);
        expectRawRefusal(refused.split(/(?=HTTP\/1\.1 200)/)[0] ?? '', 401, 'unauthorized');
      }
    });

    test('pipelined requests with and without an upgrade are all answered in order', async () => {
      const plain = `GET /api/workspace HTTP/1.1\r\n${host}Authorization: Bearer ${workspace.apiKey}\r\n\r\n`;
      const upgrade = (protocol: string) =>
        plain.replace('\r\n\r\n', `\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
      const close = `GET /health/live HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
      const group = [plain, upgrade('h2c'), upgrade('websocket')];
      const requests = Array.from({ length: 10 }, () => group).flat();
      const received = await sendRaw(service.url, [[...requests, close].join('')]);
      const statuses = parseResponses(received).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 31 }, () => 200));
      // Node prints a warning when listeners accumulate on a connection.
      expect(service.apis[0]?.logs.filter((line) => line.includes('MaxListeners'))).toEqual([]);
    });

    test('a WebSocket that is pipelined behind other requests opens after their responses', async () => {
      const headers = `${host}Authorization: Bearer ${workspace.apiKey}\r\n`;
      const plain = `GET /api/workspace HTTP/1.1\r\n${headers}\r\n`;
      const handshake =
        `GET /api/events HTTP/1.1\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
      // An unmasked frame is an error, so the service closes the connection.
      const received = await sendRaw(service.url, [
        plain + plain + handshake,
        Buffer.from([0x81, 0x00]),
      ]);
      expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([
        'HTTP/1.1 200',
        'HTTP/1.1 200',
        'HTTP/1.1 101',
      ]);
    });

    test('a request with many headers is processed completely or refused', async () => {
      const many = Array.from({ length: 1500 }, (_, n) => `X-${n}: 1\r\n`).join('');
      const received = await sendRaw(service.url, [
        `GET /health/live HTTP/1.1\r\n${host}Connection: close\r\n${many}\r\n`,
      ]);
      expect([200, 400]).toContain(parseResponses(received).at(-1)?.status);
    });
  });

  function hangUpAfter(bytes: string): Promise<void> {
    return new Promise((resolve) => {
      const { hostname, port } = new URL(service.url);
      const socket = createConnection(Number(port), hostname, () => {
        socket.write(bytes, () => socket.resetAndDestroy());
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  }
}
