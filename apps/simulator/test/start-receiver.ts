import { createServer, type IncomingHttpHeaders } from 'node:http';
import { EVENTUALLY, listen } from '@switchboard/testing';
import { onTestFinished, vi } from 'vitest';

export interface ReceivedWebhook {
  method: string;
  /** The path and the query. */
  path: string;
  headers: IncomingHttpHeaders;
  form: Record<string, string>;
  at: number;
}

type Answer = { status?: number; type?: string; body?: string } | 'hang' | 'reset';

/** Starts a web server that records webhooks. `answer` returns the response to the nth webhook. */
export async function startReceiver(
  answer: (webhook: ReceivedWebhook, nth: number) => Answer = () => ({}),
) {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const webhook = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      form: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())),
      at: Date.now(),
    };
    received.push(webhook);
    const given = answer(webhook, received.length);
    if (given === 'hang') return;
    if (given === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    response.writeHead(given.status ?? 200, { 'content-type': given.type ?? 'text/plain' });
    response.end(given.body ?? '');
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return {
    url,
    received,
    statuses: () => received.map(({ form }) => form['MessageStatus']),
    /** Waits until `count` webhooks have been received. */
    async waitFor(count: number): Promise<void> {
      await vi.waitFor(
        () => {
          if (received.length < count) throw new Error(`${received.length} of ${count} webhooks`);
        },
        { ...EVENTUALLY, interval: 10 },
      );
    },
  };
}
