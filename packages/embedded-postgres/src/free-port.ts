import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections and to servers that request any port
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
 * Returns a port of 127.0.0.1 that is free now and outside the ranges from which the system takes
 * ports. It is random, so two processes that choose at the same time rarely choose the same one.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(CHOSEN_FROM.first, CHOSEN_FROM.last + 1);
    if (await isPortFree(port)) return port;
  }
  throw new Error('127.0.0.1 has no free port.');
}
