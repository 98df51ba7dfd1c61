import type { FastifyInstance } from 'fastify';
import type { DeliveryStore } from '../inbound/delivery-store.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { Message } from '../messages/message.ts';
import { isPhoneNumber, readPhoneNumber } from '../phone-number.ts';
import { formatPhoneMessage } from './format-phone-message.ts';
import { type MessageFeed, phoneOf } from './message-feed.ts';

const MAX_NUMBERS = 8;
const MAX_LISTENERS = 50;
/** The newest messages of each phone that a new stream starts with. */
const HISTORY = 200;
/** A client that reads too slowly is disconnected. It reconnects and receives the history. */
const MAX_UNREAD_BYTES = 4_000_000;
const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 1_000;

export interface PhoneEventsDependencies {
  feed: MessageFeed;
  messages: Pick<MessageStore, 'all'>;
  deliveries: Pick<DeliveryStore, 'stateOf'>;
}

/**
 * Streams the messages of phones as server-sent events: `messages` with the history of all, which
 * replaces earlier ones, then a `message` for each new or changed one.
 */
export function registerPhoneEvents(
  app: FastifyInstance,
  { feed, messages, deliveries }: PhoneEventsDependencies,
): void {
  const format = (message: Message) => formatPhoneMessage(message, deliveries);
  const streams = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const end of streams) end();
  });

  app.get<{ Querystring: { number?: string | string[] } }>(
    '/events',
    { exposeHeadRoute: false },
    async (request, reply) => {
      const numbers = new Set([request.query.number ?? []].flat().map(readPhoneNumber));
      if (numbers.size < 1 || numbers.size > MAX_NUMBERS || ![...numbers].every(isPhoneNumber)) {
        const detail = `\`number\` must be an E.164 phone number, given 1 to ${MAX_NUMBERS} times`;
        return reply.code(400).send({ error: 'invalid_params', detail });
      }
      if (feed.size() >= MAX_LISTENERS) {
        const detail = `At most ${MAX_LISTENERS} streams may be open`;
        return reply.code(503).send({ error: 'quota_exceeded', detail });
      }
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      function write(text: string): void {
        raw.write(text);
        if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
      }
      const send = (event: string, content: unknown): void =>
        write(`event: ${event}\ndata: ${JSON.stringify(content)}\n\n`);
      const remove = feed.add({
        numbers,
        onMessage: (message) => send('message', format(message)),
        onClear: () => send('messages', []),
      });
      const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS);
      const end = () => raw.destroy();
      streams.add(end);
      raw.on('close', () => {
        streams.delete(end);
        clearInterval(heartbeat);
        remove();
      });
      write(`retry: ${RECONNECT_MS}\n\n`);
      send('messages', findLatest(messages.all(), numbers).map(format));
      return undefined;
    },
  );
}

/** Returns the newest messages of each phone, in the order of their acceptance. */
function findLatest(all: Iterable<Message>, numbers: ReadonlySet<string>): Message[] {
  const byNumber = new Map<string, Message[]>([...numbers].map((number) => [number, []]));
  for (const message of all) byNumber.get(phoneOf(message))?.push(message);
  return [...byNumber.values()].flatMap((found) => found.slice(-HISTORY));
}
