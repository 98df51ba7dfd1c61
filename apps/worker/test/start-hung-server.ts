import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a server that accepts connections, reads requests and never answers.
 *
 * @param text a part of each request that counts
 */
export async function startHungServer(text: string) {
  let requests = 0;
  let open = 0;
  let mostOpen = 0;
  const sockets = new Set<Socket>();
  const disconnect = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    socket.on('close', () => {
      open -= 1;
      sockets.delete(socket);
    });
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      requests += data.toString().split(text).length - 1;
    });
    onTestFinished(() => void socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    countRequests: () => requests,
    /** Closes all connections. */
    disconnect,
    /** The most connections that were open at the same time. */
    countMostOpen: () => mostOpen,
  };
}
