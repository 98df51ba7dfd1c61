import { DEFAULT_KEYWORD_REPLIES } from '@switchboard/contracts';
import {
  AppError,
  type BusNotice,
  type Clock,
  type DispatchHint,
  type InboundMessage,
  createUuidV7,
  findKeyword,
} from '@switchboard/core';
import type { MessageStore, ReceivedKeyword } from '@switchboard/database';
import type { FastifyInstance } from 'fastify';
import type { FormFields } from './parse-form.ts';
import { type SignedRequest, type VerifiedWebhook, forged, readSigned } from './verify-webhook.ts';

export interface InboundWebhookDependencies {
  verifyWebhook(request: SignedRequest): Promise<VerifiedWebhook>;
  messages: Pick<MessageStore, 'receive'>;
  publishLater(notice: BusNotice): void;
  hintLater(hint: DispatchHint, traceParent: string | null): void;
  clock: Clock;
}

const EMPTY_TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

/** The provider hands over a received message. A 500 makes it try again. */
export function registerInboundWebhook(
  webhooks: FastifyInstance,
  { verifyWebhook, messages, publishLater, hintLater, clock }: InboundWebhookDependencies,
): void {
  webhooks.post<{ Body: FormFields }>(
    '/api/webhooks/twilio/:workspaceId/inbound',
    async (request, reply) => {
      const { workspaceId, adapter, account, fields } = await verifyWebhook(readSigned(request));
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
      const received = await messages.receive(
        {
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
        },
        readKeyword(inbound, createdAt),
      );
      if (received !== null) {
        publishLater({ kind: 'message', workspaceId, messageId: id, seq: received.seq });
      }
      if (received?.reply) {
        const { id: messageId, seq } = received.reply;
        publishLater({ kind: 'message', workspaceId, messageId, seq });
        hintLater({ messageId, workspaceId, requestId: request.id }, traceParent);
      }
      return reply.type('text/xml; charset=utf-8').send(EMPTY_TWIML);
    },
  );
}

function readKeyword(inbound: InboundMessage, nowMs: number): ReceivedKeyword | null {
  const keyword = findKeyword(inbound.body);
  if (keyword === null) return null;
  const reply = { id: createUuidV7(nowMs), defaultText: DEFAULT_KEYWORD_REPLIES[keyword] };
  return { keyword, reply: inbound.isKeywordAnswered ? null : reply };
}
