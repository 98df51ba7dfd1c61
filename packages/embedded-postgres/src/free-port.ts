import { type AddressInfo, createServer } from 'node:net';

/** Whether nothing listens on this port; another process may still be faster than the caller. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listenOnce(port, host)) !== null;
}

/** A port of 127.0.0.1 that is free at this moment. */
export async function findFreePort(): Promise<number> {
  const port = await listenOnce(0, '127.0.0.1');
  if (port === null) throw new Error('No free port was found on 127.0.0.1.');
  return port;
}

function listenOnce(port: number, host: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen({ host, port }, () => {
      const address = server.address() as AddressInfo;
      server.close(() => resolve(address.port));
    });
  });
}
