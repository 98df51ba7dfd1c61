import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A way to a server on which answers can be held back. */
export interface SlowLine {
  /** The server's address, by this line. */
  url: string;
  /** How long each answer takes on its way, from now on. */
  setDelay(delayMs: number): void;
  close(): Promise<void>;
}

/** Connecting is never slow: a client that can't connect at all is another fault. */
const UNHURT_MS = 1_000;

export async function openSlowLine(targetUrl: string): Promise<SlowLine> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let delayMs = 0;

  const server = createServer((client) => {
    const openedAt = performance.now();
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    let sent = Promise.resolve();
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      const isNew = performance.now() - openedAt < UNHURT_MS;
      const dueAt = performance.now() + (isNew ? 0 : delayMs);
      sent = sent.then(async () => {
        await pause(Math.max(0, dueAt - performance.now()));
        client.write(chunk);
      });
    });
    upstream.on('end', () => void sent.then(() => client.end()));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()); // each end tells its own of a broken line
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
