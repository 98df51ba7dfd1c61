import { type AddressInfo, createServer } from 'node:net';

/** Whether nothing listens on this port of 127.0.0.1; another process may still be faster. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== null;
}

/** A port of 127.0.0.1 that is free at this moment. */
export async function findFreePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === null) throw new Error('No free port was found on 127.0.0.1.');
  return port;
}

function listenOnce(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen({ host: '127.0.0.1', port }, () => {
      const address = server.address() as AddressInfo;
      server.close(() => resolve(address.port));
    });
  });
}
