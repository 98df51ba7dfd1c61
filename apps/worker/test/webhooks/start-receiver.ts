import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebhookEvent, webhookEvent } from '@switchboard/contracts';
import { Webhook } from 'standardwebhooks';

/** A delivery whose signature is valid. */
export interface Received {
  id: string;
  body: string;
  event: WebhookEvent;
}

export interface ReceiverResponse {
  status: number;
  headers?: Record<string, string>;
}

/** Null leaves the request without a response. */
type Decide = (received: Received) => ReceiverResponse | null | Promise<ReceiverResponse>;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a receiver of webhooks, which verifies deliveries with the Standard Webhooks library. */
export async function startReceiver() {
  const received: Received[] = [];
  const forged: string[] = [];
  const open = new Set<ServerResponse>();
  let secrets: readonly string[] = [];
  let decide: Decide = () => ({ status: 200 });

  const server = createServer((request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString();
      const verified = verify(body, request.headers as Record<string, string>);
      if (verified === null) {
        forged.push(body);
        response.writeHead(401).end();
        return;
      }
      received.push(verified);
      const { status, headers = {} } = (await decide(verified)) ?? { status: 0 };
      if (status !== 0) response.writeHead(status, headers).end('seen');
    });
  });

  /** Each of the secrets must verify the delivery. */
  function verify(body: string, headers: Record<string, string>): Received | null {
    try {
      for (const secret of secrets) new Webhook(secret).verify(body, headers);
    } catch {
      return null;
    }
    return { id: headers['webhook-id'] ?? '', body, event: webhookEvent.parse(JSON.parse(body)) };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    forged,
    expectSecrets(...expected: string[]): void {
      secrets = expected;
    },
    respondWith(next: Decide): void {
      decide = next;
    },
    /** Returns each event once, in the order of its number. A busy machine may cause repeats. */
    events: () =>
      [...new Map(received.map(({ event }) => [event.sequence, event])).values()].toSorted(
        (a, b) => a.sequence - b.sequence,
      ),
    async stop(): Promise<void> {
      for (const response of open) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
