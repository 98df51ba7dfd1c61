import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { providerOf } from '../messages/message.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { DeliveryStore } from './delivery-store.ts';

/** Streams the inbound messages in the order of their receipt. */
export function registerInboundLedger(
  app: FastifyInstance,
  messages: Pick<MessageStore, 'all'>,
  deliveries: Pick<DeliveryStore, 'has'>,
): void {
  app.get('/inbound-ledger', async (_request, reply) =>
    reply.type('application/x-ndjson').send(Readable.from(linesOf(messages, deliveries))),
  );
}

function* linesOf(
  messages: Pick<MessageStore, 'all'>,
  deliveries: Pick<DeliveryStore, 'has'>,
): Generator<string> {
  for (const message of messages.all()) {
    const { direction, sid, accountSid, to, from, body, createdAt } = message;
    if (direction !== 'inbound') continue;
    yield `${JSON.stringify({
      sid,
      provider: providerOf(message),
      account_sid: accountSid,
      to,
      from,
      body,
      created_at: new Date(createdAt).toISOString(),
      delivered: deliveries.has(sid),
    })}\n`;
  }
}
