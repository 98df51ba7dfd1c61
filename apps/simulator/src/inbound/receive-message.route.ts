import type { FastifyInstance } from 'fastify';
import type { AccountStore } from '../accounts/account-store.ts';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Faults } from '../behaviour/faults.ts';
import { splitOverrides } from '../callbacks/connection-overrides.ts';
import type { WebhookResult, WebhookSender } from '../callbacks/webhook-sender.ts';
import type { Journal } from '../ledger/journal.ts';
import type { AcceptMessage } from '../messages/accept-message.ts';
import { contentTypeOf } from '../messages/content-type-of.ts';
import { countSegments } from '../messages/count-segments.ts';
import { mediaSidOf } from '../messages/media-sid.ts';
import type { Message } from '../messages/message.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { isPhoneNumber } from '../phone-number.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { parseTwiml } from './parse-twiml.ts';

export interface ReceiveMessageDependencies {
  accept: AcceptMessage;
  accounts: Pick<AccountStore, 'get'>;
  numbers: Pick<NumberStore, 'find'>;
  sender: Pick<WebhookSender, 'send'>;
  deliveries: Pick<DeliveryStore, 'add'>;
  behaviour: Pick<BehaviourStore, 'current'>;
  faults: Pick<Faults, 'strikes'>;
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
 * Simulates a phone that sends a message to a number, which is posted to the number's `SmsUrl`. If the
 * number has an SMS application, nothing is posted: Twilio ignores the `SmsUrl` then, and the simulator
 * has no applications.
 */
export function registerReceiveMessage(
  app: FastifyInstance,
  dependencies: ReceiveMessageDependencies,
) {
  const { accept, accounts, numbers, sender } = dependencies;
  const { deliveries, behaviour, faults, journal } = dependencies;

  app.post('/inbound', async (request, reply) => {
    const parsed = parseInbound(request.body);
    if (typeof parsed === 'string') {
      return reply.code(400).send({ error: 'invalid_params', detail: parsed });
    }
    const number = numbers.find(parsed.to);
    const hasApplication = number !== null && number.smsApplicationSid !== '';
    if (number === null || (number.smsUrl === '' && !hasApplication)) {
      const detail = `No account has the number ${parsed.to} with an SmsUrl`;
      return reply.code(404).send({ error: 'not_found', detail });
    }
    const { accountSid } = number;
    const shared = { accountSid, messagingServiceSid: null, sendAt: null, faultKey: '' };
    const message = await accept({
      ...shared,
      ...parsed,
      direction: 'inbound',
      status: 'received',
      statusCallback: null,
    });
    const result = hasApplication
      ? NOT_SENT.application
      : faults.strikes('inbound', message.sid, behaviour.current().inbound_drop)
        ? NOT_SENT.dropped
        : await sender.send({
            ...splitOverrides(number.smsUrl),
            method: number.smsMethod,
            fields: fieldsOf(message),
            token: accounts.get(accountSid).token,
          });

    const isAnswered = result.status !== null && result.status >= 200 && result.status < 300;
    if (isAnswered) await deliveries.add(journal, message.sid);
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

/** The simulator's own pictures get Twilio's media URLs. Other URLs are passed on unchanged. */
function isOwnPicture(url: string): boolean {
  return new URL(url).pathname.startsWith('/simulator/media/');
}

/** Uses Twilio's host: clients that replace it with the simulator's host do so here too. */
function mediaUrlOf({ accountSid, sid }: Message, index: number): string {
  const path = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}/Media`;
  return `https://api.twilio.com${path}/${mediaSidOf(sid, index)}`;
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value);
}

function fieldsOf(message: Message): Record<string, string> {
  return {
    AccountSid: message.accountSid,
    ApiVersion: '2010-04-01',
    Body: message.body,
    From: message.from ?? '',
    MessageSid: message.sid,
    NumMedia: String(message.mediaUrls.length),
    NumSegments: String(countSegments(message.body)),
    SmsMessageSid: message.sid,
    SmsSid: message.sid,
    SmsStatus: 'received',
    To: message.to,
    ...Object.fromEntries(
      message.mediaUrls.flatMap((url, i) => [
        [`MediaUrl${i}`, isOwnPicture(url) ? mediaUrlOf(message, i) : url],
        [`MediaContentType${i}`, contentTypeOf(url)],
      ]),
    ),
  };
}
