import { once } from 'node:events';
import { type Socket, createConnection } from 'node:net';

/** Opens connections on which nothing is sent, one after the other. The caller destroys them. */
export async function openIdleConnections(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const socket = createConnection(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    sockets.push(socket.resume());
  }
  return sockets;
}
