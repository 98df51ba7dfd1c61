import { type IncomingMessage, createServer, request as requestOf } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/**
 * Starts a proxy that serves an API below a path, which it removes from the requests, as nginx does with
 * `location /sms/ { proxy_pass http://127.0.0.1:3000/; }`. Other paths belong to another site.
 */
export async function startPathProxy(basePath: string) {
  let apiPort = 0;
  /** Paths that another site would have received. */
  const strays: string[] = [];

  function strip({ url = '' }: IncomingMessage): string | null {
    if (url.startsWith(`${basePath}/`)) return url.slice(basePath.length);
    strays.push(url);
    return null;
  }

  const server = createServer((incoming, outgoing) => {
    const path = strip(incoming);
    if (path === null) {
      outgoing.writeHead(404).end('another site');
      return;
    }
    const { method, headers } = incoming;
    // A kept connection may be closed by the API while a request is written to it.
    const to = { port: apiPort, agent: false } as const;
    const forwarded = requestOf({ ...to, path, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.on('upgrade', (incoming: IncomingMessage, socket, head: Buffer) => {
    const path = strip(incoming);
    if (path === null) {
      socket.destroy();
      return;
    }
    const inner = connect(apiPort);
    const lines = incoming.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 ? [`${name}: ${all[at + 1] ?? ''}\r\n`] : [],
    );
    inner.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    inner.write(head);
    inner.pipe(socket).pipe(inner);
    for (const [one, other] of [
      [inner, socket],
      [socket, inner],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${basePath}`,
    strays,
    /** The API starts after the proxy, because its PUBLIC_URL is the proxy's. */
    forwardTo(url: string): void {
      apiPort = Number(new URL(url).port);
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
