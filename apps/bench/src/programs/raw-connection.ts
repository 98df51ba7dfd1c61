import { type Socket, connect } from 'node:net';
import { once } from 'node:events';

/** A keep-alive connection that parses only the status and the length of a response. */
export interface RawConnection {
  /** Writes a complete request and resolves with the status of its response. One request at a time. */
  exchange(request: string): Promise<number>;
  close(): void;
}

/**
 * Opens a raw connection. A normal HTTP client would use more CPU time than the service under
 * load. This one supports only responses of the API: a status line, `content-length` and a body.
 */
export async function openRawConnection(host: string, port: number): Promise<RawConnection> {
  const socket: Socket = connect({ host, port, noDelay: true });
  await once(socket, 'connect');
  socket.setEncoding('latin1');
  let received = '';
  let waiting: { resolve(status: number): void; reject(error: Error): void } | null = null;

  socket.on('data', (chunk: string) => {
    received = received === '' ? chunk : received + chunk;
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /content-length: *(\d+)/i.exec(received.slice(0, head))?.[1];
    if (received.length < head + 4 + Number(length ?? 0)) return;
    const status = Number(received.slice(9, 12));
    received = '';
    waiting?.resolve(status);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the connection was closed')));

  return {
    exchange(request) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      });
    },
    close() {
      waiting = null;
      socket.destroy();
    },
  };
}
