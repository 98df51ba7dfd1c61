import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Faults } from '../behaviour/faults.ts';
import type { WebhookResult } from '../callbacks/webhook-sender.ts';
import type { Journal } from '../ledger/journal.ts';
import type { AcceptMessage } from '../messages/accept-message.ts';
import type { Message } from '../messages/message.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import type { PhoneNumber } from '../numbers/owned-number.ts';
import { isPhoneNumber } from '../phone-number.ts';
import type { MessageFeed } from '../phones/message-feed.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { parseTwiml } from './parse-twiml.ts';
import type { DescribeReceiver } from './receiver.ts';

export interface ReceiveMessageDependencies {
  accept: AcceptMessage;
  describeReceiver: DescribeReceiver;
  numbers: Pick<NumberStore, 'find'>;
  /** Sends the message to the account of the number. Null if there is nowhere to send it. */
  deliver(message: Message, number: PhoneNumber): Promise<WebhookResult> | null;
  deliveries: Pick<DeliveryStore, 'start' | 'finish'>;
  behaviour: Pick<BehaviourStore, 'current'>;
  faults: Pick<Faults, 'strikes'>;
  feed: Pick<MessageFeed, 'publish'>;
  journal: Journal;
}

interface InboundRequest {
  to: string;
  from: string;
  body: string;
  mediaUrls: string[];
  receivedAgoMs: number;
}

/**
 * Simulates a phone that sends a message to a number. The message is posted to the number's `SmsUrl`
 * or to its vendor's URL, or sent over a bind of its SMPP account. If the number has an SMS
 * application, nothing is posted: Twilio ignores the `SmsUrl` then, and the simulator has no
 * applications.
 */
export function registerReceiveMessage(
  app: FastifyInstance,
  dependencies: ReceiveMessageDependencies,
) {
  const { accept, describeReceiver, numbers, deliver, deliveries } = dependencies;
  const { behaviour, faults, journal, feed } = dependencies;

  app.post('/inbound', async (request, reply) => {
    const parsed = parseInbound(request.body);
    if (typeof parsed === 'string') {
      return reply.code(400).send({ error: 'invalid_params', detail: parsed });
    }
    const number = numbers.find(parsed.to);
    const receiver = number === null ? null : describeReceiver(number);
    if (number === null || receiver?.isConfigured !== true) {
      const detail = `No account has the number ${parsed.to} and a URL for received messages`;
      return reply.code(404).send({ error: 'not_found', detail });
    }
    const { provider, hasApplication, maxPictures } = receiver;
    if (parsed.mediaUrls.length > maxPictures) {
      const detail = `\`media_urls\` may have at most ${maxPictures} URLs at ${provider}`;
      return reply.code(400).send({ error: 'invalid_params', detail });
    }
    const { accountSid } = number;
    const shared = { accountSid, messagingServiceSid: null, sendAt: null, faultKey: '' };
    const message = await accept({
      ...shared,
      ...parsed,
      ...(provider !== 'twilio' && { sid: randomUUID() }),
      provider,
      direction: 'inbound',
      status: 'received',
      statusCallback: null,
    });
    deliveries.start(message.sid);
    feed.publish(message);
    const result = hasApplication
      ? NOT_SENT.application
      : faults.strikes('inbound', message.sid, behaviour.current(provider).inbound_drop)
        ? NOT_SENT.dropped
        : ((await deliver(message, number)) ?? NOT_SENT.application);
    const isAnswered = result.status !== null && result.status >= 200 && result.status < 300;
    await deliveries.finish(journal, message.sid, isAnswered);
    feed.publish(message);
    const replies = isAnswered ? parseTwiml(result.twiml) : [];
    const sids: string[] = [];
    for (const { body, mediaUrls, to, from, statusCallback } of replies) {
      const sent = await accept({
        ...shared,
        body,
        mediaUrls,
        statusCallback,
        to: to ?? message.from ?? '',
        from: from ?? message.to,
        direction: 'outbound-reply',
        status: 'queued',
        faultKey: `${message.sid}:${sids.length}`,
      });
      sids.push(sent.sid);
    }
    const { status, attempts, error } = result;
    return { sid: message.sid, status, attempts, error, replies: sids };
  });
}

const NOT_TRIED: Omit<WebhookResult, 'error'> = { status: null, twiml: '', attempts: 0 };

const NOT_SENT: Record<'application' | 'dropped', WebhookResult> = {
  application: { ...NOT_TRIED, error: 'sms_application' },
  /** As if every attempt had failed. */
  dropped: { ...NOT_TRIED, error: 'inbound_drop' },
};

const MAX_AGO_MS = 30 * 86_400_000;

/** Returns the parsed request, or an error message. */
function parseInbound(input: unknown): InboundRequest | string {
  if (typeof input !== 'object' || input === null) return 'The body must be a JSON object';
  const fields = input as Record<string, unknown>;
  const { to, from, body, media_urls: mediaUrls = [], received_ago_ms: agoMs = 0 } = fields;
  if (typeof to !== 'string' || !isPhoneNumber(to))
    return '`to` must be an E.164 phone number, for example +14155550123';
  if (typeof from !== 'string' || !isPhoneNumber(from))
    return '`from` must be an E.164 phone number, for example +14155550123';
  if (typeof body !== 'string') return '`body` must be a string';
  if (!Array.isArray(mediaUrls) || mediaUrls.length > 10 || !mediaUrls.every(isUrl)) {
    return '`media_urls` must be a list of at most 10 URLs';
  }
  if (typeof agoMs !== 'number' || !Number.isInteger(agoMs) || agoMs < 0 || agoMs > MAX_AGO_MS) {
    return `\`received_ago_ms\` must be a whole number of milliseconds from 0 to ${MAX_AGO_MS}`;
  }
  return { to, from, body, mediaUrls, receivedAgoMs: agoMs };
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value);
}
