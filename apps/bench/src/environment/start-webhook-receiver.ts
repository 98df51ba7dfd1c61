import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery. `at` is when it arrived and `eventAt` when its event happened, as `Date.now()`. */
export interface ReceivedDelivery {
  path: string;
  type: string;
  at: number;
  eventAt: number;
}

/** Starts a receiver of workspace webhooks. It does not answer requests to `hangingPath`. */
export async function startWebhookReceiver() {
  const receiver = {
    url: '',
    received: [] as ReceivedDelivery[],
    hangingPath: null as string | null,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    const at = Date.now();
    const path = request.url ?? '';
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (path === receiver.hangingPath) return;
      response.writeHead(204).end();
      const { type, timestamp } = JSON.parse(body) as { type: string; timestamp: string };
      receiver.received.push({ path, type, at, eventAt: Date.parse(timestamp) });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}
