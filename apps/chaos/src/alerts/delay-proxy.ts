import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A TCP proxy that can delay the responses of a server. */
export interface DelayProxy {
  /** The URL of the server through this proxy. */
  url: string;
  /** Delays each following response. */
  setDelay(delayMs: number): void;
  close(): Promise<void>;
}

/** New connections are not delayed, because a client that cannot connect is a different fault. */
const UNDELAYED_MS = 1_000;

export async function openDelayProxy(targetUrl: string): Promise<DelayProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let delayMs = 0;

  const server = createServer((client) => {
    const openedAt = performance.now();
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    let sent = Promise.resolve();
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      const isNew = performance.now() - openedAt < UNDELAYED_MS;
      const dueAt = performance.now() + (isNew ? 0 : delayMs);
      sent = sent.then(async () => {
        await delay(Math.max(0, dueAt - performance.now()));
        client.write(chunk);
      });
    });
    upstream.on('end', () => void sent.then(() => client.end()));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()); // Client and server report the broken connection.
      socket.on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(targetUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    setDelay(ms) {
      delayMs = ms;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
