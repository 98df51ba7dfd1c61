import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Forwards requests to `url`. Can refuse requests by their path, and delay or replace responses. Ends with
 * the test.
 */
export async function startProxy(url: string) {
  let pattern: RegExp | null = null;
  let refused = 0;
  let replace: (path: string) => Promise<object | null> = async () => null;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (pattern?.test(path)) {
      refused += 1;
      response.writeHead(503).end();
      return;
    }
    const replacement = await replace(path);
    if (replacement !== null) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(replacement));
      return;
    }
    const { method, headers } = request;
    const forwarded = forward(url + path, { method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 500, upstream.headers);
      upstream.pipe(response);
    });
    // The server behind the proxy may be stopped while it processes the request.
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refuse: (next: RegExp | null) => void (pattern = next),
    refused: () => refused,
    /** Calls `next` for each request that is not refused. The request is forwarded if it returns null. */
    replaceResponses: (next: (path: string) => Promise<object | null>) => void (replace = next),
  };
}
