import { DEFAULT_KEYWORD_REPLIES } from '@switchboard/contracts';
import {
  AppError,
  type BusNotification,
  type Clock,
  type DispatchHint,
  type InboundMessage,
  createUuidV7,
  findKeyword,
  isPhoneNumber,
} from '@switchboard/core';
import type { MessageStore, ReceivedKeyword } from '@switchboard/database';
import type { FastifyInstance } from 'fastify';
import type { LimitWebhooks } from './limit-webhooks.ts';
import type { FormFields } from './parse-form.ts';
import type { OutageRetry } from './retry-while-database-is-away.ts';
import { type SignedRequest, type VerifiedWebhook, forged, readSigned } from './verify-webhook.ts';

export interface InboundWebhookDependencies {
  verifyWebhook(request: SignedRequest): Promise<VerifiedWebhook>;
  limitWebhooks: LimitWebhooks;
  messages: Pick<MessageStore, 'receive'>;
  outageRetry: Pick<OutageRetry, 'retry'>;
  publishLater(notification: BusNotification): void;
  hintLater(hint: DispatchHint, traceParent: string | null): void;
  clock: Clock;
}

const EMPTY_TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

/**
 * Stores a message that the provider has received. It is retried here while the database is away, and
 * by the provider after a 503.
 */
export function registerInboundWebhook(
  webhooks: FastifyInstance,
  dependencies: InboundWebhookDependencies,
): void {
  const { verifyWebhook, limitWebhooks, messages, outageRetry, clock } = dependencies;
  const { publishLater, hintLater } = dependencies;
  webhooks.post<{ Body: FormFields }>(
    '/api/webhooks/twilio/:workspaceId/inbound',
    async (request, reply) => {
      const signed = readSigned(request);
      const { workspaceId, adapter, account, fields } = await outageRetry.retry(() =>
        verifyWebhook(signed),
      );
      await limitWebhooks(workspaceId);
      const inbound = adapter.parseInbound(fields);
      if (inbound === null) {
        throw new AppError(
          'missing_params',
          'Missing required parameters: `MessageSid`, `From`, `To`, `AccountSid`',
        );
      }
      if (inbound.accountSid !== account.accountSid) throw forged();

      const createdAt = clock.now();
      const traceParent = request.span?.traceParent ?? null;
      const id = createUuidV7(createdAt);
      const message = {
        id,
        createdAt: new Date(createdAt),
        workspaceId,
        to: inbound.to,
        from: inbound.from,
        body: inbound.body,
        media: inbound.media,
        segments: inbound.segments,
        providerAccount: inbound.accountSid,
        providerSid: inbound.sid,
        requestId: request.id,
        traceParent,
      };
      const keyword = readKeyword(inbound, createdAt);
      const received = await outageRetry.retry(() => messages.receive(message, keyword));
      if (received !== null) {
        request.createdMessageId = id;
        publishLater({ kind: 'message', workspaceId, messageId: id, seq: received.seq });
      }
      if (received?.reply) {
        const { id: messageId, seq } = received.reply;
        publishLater({ kind: 'message', workspaceId, messageId, seq });
        hintLater({ messageId, workspaceId, requestId: request.id }, traceParent);
      }
      if (received?.isReplyWithheld) {
        request.log.info({ workspace_id: workspaceId, message_id: id }, 'keyword reply withheld');
      }
      return reply.type('text/xml; charset=utf-8').send(EMPTY_TWIML);
    },
  );
}

function readKeyword(inbound: InboundMessage, nowMs: number): ReceivedKeyword | null {
  const { providerKeyword, from, body } = inbound;
  const isDecided = providerKeyword !== null && providerKeyword !== 'unknown';
  const keyword = isDecided ? providerKeyword : findKeyword(body);
  if (keyword === null) return null;
  // A reply to what is no phone number would be refused as any send to it.
  const mayReply = providerKeyword === null && isPhoneNumber(from);
  const reply = { id: createUuidV7(nowMs), defaultText: DEFAULT_KEYWORD_REPLIES[keyword] };
  return { keyword, reply: mayReply ? reply : null };
}
