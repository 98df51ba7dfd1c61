import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server of this process. */
export interface Listening {
  port: number;
  url: string;
  /** Ends the open connections too. */
  close(): Promise<void>;
}

/** Listens on this machine, on a free port unless `port` is given. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    url: `http://127.0.0.1:${own}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
