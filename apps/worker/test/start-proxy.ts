import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Forwards requests to `url`. Refuses those whose path matches, and can delay or replace answers. Ends
 * with the test.
 */
export async function startProxy(url: string) {
  let pattern: RegExp | null = null;
  let refused = 0;
  let answerTo: (path: string) => Promise<object | null> = async () => null;
  const server = createServer(async (asked, answer) => {
    const path = asked.url ?? '';
    if (pattern?.test(path)) {
      refused += 1;
      answer.writeHead(503).end();
      return;
    }
    const own = await answerTo(path);
    if (own !== null) {
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(own));
      return;
    }
    const { method, headers } = asked;
    const onward = forward(url + (asked.url ?? ''), { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    asked.pipe(onward);
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
    answer: (next: (path: string) => Promise<object | null>) => void (answerTo = next),
  };
}
