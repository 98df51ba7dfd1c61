import { DEFAULT_KEYWORD_REPLIES } from '@switchboard/contracts';
import {
  type BusNotification,
  type Clock,
  type DispatchHint,
  type InboundMessage,
  type ProviderAdapter,
  createUuidV7,
  findKeyword,
  isPhoneNumber,
} from '@switchboard/core';
import type { MessageStore, ReceivedKeyword } from '@switchboard/database';
import type { FastifyInstance } from 'fastify';
import type { LimitWebhooks } from './limit-webhooks.ts';
import type { OutageRetry } from './retry-while-database-is-away.ts';
import { type VerifyWebhook, readSigned } from './verify-webhook.ts';

export interface InboundWebhookDependencies {
  verifyWebhook: VerifyWebhook;
  publicUrl: string;
  limitWebhooks: LimitWebhooks;
  messages: Pick<MessageStore, 'receive'>;
  outageRetry: Pick<OutageRetry, 'retry'>;
  publishLater(notification: BusNotification): void;
  hintLater(hint: DispatchHint, traceParent: string | null): void;
  clock: Clock;
}

/**
 * Stores a message that the provider has received. It is retried here while the database is away, and
 * by the provider after a 503.
 */
export function registerInboundWebhook(
  webhooks: FastifyInstance,
  adapter: ProviderAdapter,
  dependencies: InboundWebhookDependencies,
): void {
  const { verifyWebhook, limitWebhooks, messages, outageRetry, clock } = dependencies;
  const { publishLater, hintLater, publicUrl } = dependencies;
  const { paths, inboundReply } = adapter.webhooks;
  webhooks.post(paths.inbound, async (request, reply) => {
    const signed = readSigned(request, adapter, publicUrl);
    const { workspaceId, readContent } = await outageRetry.retry(() =>
      verifyWebhook(signed, (by, account, webhook) => by.readInbound(account, webhook)),
    );
    await limitWebhooks(workspaceId);
    const inbound = readContent();

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
      providerAccount: inbound.account,
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
    return reply.type(inboundReply.contentType).send(inboundReply.body);
  });
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
