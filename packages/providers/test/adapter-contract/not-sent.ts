import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LOCALHOST_CERTIFICATE } from '../fault-server.ts';
import { type AdapterContract, UNREACHABLE } from './open-contract.ts';

/** Tests failures before the request is written: the message was certainly not sent. */
export function describeNotSent(contract: AdapterContract): void {
  const { createAdapter, start, send, accept } = contract;

  describe(`${contract.name}: not sent`, () => {
    test('a server that refuses connections is unreachable', async () => {
      const probe = createServer().listen(0, '127.0.0.1');
      await once(probe, 'listening');
      const { port } = probe.address() as AddressInfo;
      probe.close();
      await once(probe, 'close');
      const outcome = await send(createAdapter({ apiUrl: `http://127.0.0.1:${port}` }));
      expect(outcome).toMatchObject(UNREACHABLE);
      expect(outcome).toHaveProperty('detail', expect.stringContaining('ECONNREFUSED'));
    });

    test('a server whose name does not resolve is unreachable', async () => {
      const adapter = createAdapter({ apiUrl: 'http://nobody.invalid' });
      expect(await send(adapter)).toMatchObject(UNREACHABLE);
    });

    test('a server that does not speak TLS is unreachable, and receives nothing of the message', async () => {
      const server = await start((received) => received.socket.end(), {
        onConnection: (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
      });
      const adapter = createAdapter({ apiUrl: server.url.replace('http:', 'https:') });
      expect(await send(adapter)).toMatchObject(UNREACHABLE);
      expect(server.requests).toEqual([]);
    });

    test('a server with an untrusted certificate is unreachable', async () => {
      const server = await start(accept, { tls: true });
      expect(await send(createAdapter({ apiUrl: server.url }))).toMatchObject(UNREACHABLE);
      expect(server.bytesReceived).toBe(0);
    });

    test("a server with another host's certificate is unreachable, even on the second attempt", async () => {
      const server = await start(accept, { tls: true });
      const apiUrl = server.url.replace('localhost', '127.0.0.1');
      const adapter = createAdapter({ apiUrl, ca: LOCALHOST_CERTIFICATE, maxConnections: 1 });
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const outcome = await send(adapter);
        expect(outcome).toMatchObject(UNREACHABLE);
        expect(outcome).toHaveProperty('detail', expect.stringContaining('ERR_TLS'));
      }
      expect(server.bytesReceived).toBe(0);
    });

    test('a server whose TLS handshake never ends is unreachable after the connect timeout', async () => {
      const server = await start(accept, { tls: true, onConnection: () => new Promise(() => {}) });
      const adapter = createAdapter({
        apiUrl: server.url,
        ca: LOCALHOST_CERTIFICATE,
        connectTimeoutMs: 100,
        callTimeoutMs: 10_000,
      });
      const outcome = await send(adapter);
      expect(outcome).toMatchObject(UNREACHABLE);
      expect(outcome).toHaveProperty('detail', expect.stringContaining('UND_ERR_CONNECT_TIMEOUT'));
    });

    test('a server that cuts the connection during the handshake is unreachable', async () => {
      const server = await start(accept, {
        tls: true,
        onConnection: (socket) => void socket.resetAndDestroy(),
      });
      const adapter = createAdapter({ apiUrl: server.url, ca: LOCALHOST_CERTIFICATE });
      expect(await send(adapter)).toMatchObject(UNREACHABLE);
    });

    test('a call whose deadline passes while it waits for a connection is never written', async () => {
      const server = await start(() => {});
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1, callTimeoutMs: 300 });
      const mayWrite = vi.fn(() => true);
      // Both deadlines pass at once, before the first call frees the connection.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const calls = Promise.all([send(adapter), send(adapter, mayWrite)]);
      while (server.requests.length === 0) await nextTurn();
      vi.advanceTimersByTime(300);
      vi.useRealTimers();
      expect(await calls).toMatchObject([{ kind: 'unknown' }, UNREACHABLE]);
      expect(mayWrite).not.toHaveBeenCalled();
      expect(server.requests).toHaveLength(1);
      // The freed connection is used again.
      server.onRequest = accept;
      expect(await send(adapter)).toMatchObject({ kind: 'accepted' });
      expect(server.requests).toHaveLength(2);
    });

    test('a call after close returns unreachable and opens no connection', async () => {
      const server = await start(accept);
      const adapter = createAdapter({ apiUrl: server.url });
      await adapter.close();
      expect(await send(adapter)).toMatchObject(UNREACHABLE);
      expect(server.connections).toBe(0);
    });
  });
}
