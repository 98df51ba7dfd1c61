import { once } from 'node:events';
import { WebSocket } from 'ws';

const BATCH_SIZE = 50;

/** Opens `count` WebSockets. Returns a function that closes them. */
export async function openSockets(options: {
  url: string;
  apiKey: string;
  count: number;
}): Promise<() => Promise<void>> {
  const sockets: WebSocket[] = [];

  async function openOne(): Promise<void> {
    const socket = new WebSocket(
      `${options.url.replace('http', 'ws')}/api/events`,
      ['messaging.v1', `bearer.${options.apiKey}`],
      { perMessageDeflate: false, handshakeTimeout: 30_000 },
    );
    await once(socket, 'open');
    socket.on('error', () => undefined); // Expected: a fault kills the server.
    sockets.push(socket);
  }

  while (sockets.length < options.count) {
    const number = Math.min(BATCH_SIZE, options.count - sockets.length);
    await Promise.all(Array.from({ length: number }, openOne));
  }
  return async () => {
    const open = sockets.filter((socket) => socket.readyState !== socket.CLOSED);
    const closed = open.map((socket) => once(socket, 'close'));
    for (const socket of open) socket.terminate();
    await Promise.all(closed);
  };
}
