import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Below the ports that systems assign to outgoing connections and to servers that request any port
 * (Linux: from 32768). A port in that range may be taken between the choice and its use.
 */
const CHOSEN_FROM = { first: 10_000, last: 29_999 };
const MAX_TRIES = 100;

/** Returns whether the port is free now. Another process may still use it before the caller. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
}

/**
 * Returns a port of 127.0.0.1 that is free, and reserves it for this process until its end. So no
 * two processes that use this function get the same port, not even while the server on it restarts.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(CHOSEN_FROM.first, CHOSEN_FROM.last + 1);
    if ((await reservePort(port)) && (await isPortFree(port))) return port;
  }
  throw new Error('127.0.0.1 has no free port.');
}

/**
 * Reserves a TCP port with a UDP socket on the same number, which only one process can hold and
 * which the system closes when the process ends. Returns false if the port is already reserved.
 */
export function reservePort(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    socket.bind({ address: '127.0.0.1', port, exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}
