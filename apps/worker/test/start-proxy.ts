import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Forwards requests to `url`, and refuses those whose path matches. Ends with the test. */
export async function startProxy(url: string) {
  let pattern: RegExp | null = null;
  let refused = 0;
  const server = createServer((asked, answer) => {
    if (pattern?.test(asked.url ?? '')) {
      refused += 1;
      answer.writeHead(503).end();
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
  };
}
